# Functions for the scripts in the folder above, which source this file. It sets shell options and `root`.
# shellcheck shell=bash
set -euo pipefail
# With it, cd prints the folder.
unset CDPATH

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)

# say MESSAGE: prints a message on standard error; standard output is for the program that is run.
say() { printf '%s\n' "$*" >&2; }

# die CODE MESSAGE: prints a message and exits; 2 for invalid arguments, 1 for other errors.
die() {
  local code=$1
  shift
  say "$(basename "$0"): $*"
  exit "$code"
}

# lines ARRAY: reads the lines of standard input into an array (the bash of macOS has no mapfile).
lines() {
  local line
  eval "$1=()"
  while IFS= read -r line; do eval "$1+=(\"\$line\")"; done
}

# print_help: prints the comment at the top of the calling script, which is its help.
print_help() { awk 'NR > 1 && /^#/ { sub(/^# ?/, ""); print; next } NR > 1 { exit }' "$0"; }

# edit_lines PROGRAM FILE...: runs an awk program on the lines of files. The CR at the end of a line is not part of it, but in the
# variable `ending`, for the output.
edit_lines() { LC_ALL=C awk '{ ending = sub(/\r$/, "") ? "\r" : "" }'"$1" "${@:2}"; }

# nearest WORD CANDIDATE...: prints the candidate with the smallest edit distance, ignoring case.
nearest() {
  local word=$1
  shift
  printf '%s\n' "$@" | WORD=$word awk '
    function least(a, b, c) { return a < b ? (a < c ? a : c) : (b < c ? b : c) }
    function edits(a, b,   i, j, previous, current) {
      for (j = 0; j <= length(b); j++) previous[j] = j
      for (i = 1; i <= length(a); i++) {
        current[0] = i
        for (j = 1; j <= length(b); j++)
          current[j] = least(previous[j] + 1, current[j - 1] + 1,
            previous[j - 1] + (substr(a, i, 1) != substr(b, j, 1)))
        for (j = 0; j <= length(b); j++) previous[j] = current[j]
      }
      return previous[length(b)]
    }
    { d = edits(tolower(ENVIRON["WORD"]), tolower($0)); if (NR == 1 || d < best) { best = d; name = $0 } }
    END { print name }'
}

# lowercase: copies standard input with ASCII letters in lower case; the locale of Turkish has another small letter of I.
lowercase() { LC_ALL=C tr '[:upper:]' '[:lower:]'; }

# is_type_name NAME: whether a name is a capital letter and then letters and digits; a locale may have more of them, or fewer.
is_type_name() (
  LC_ALL=C
  [[ $1 =~ ^[A-Z][A-Za-z0-9]*$ ]]
)

# match WORD CANDIDATE...: prints the candidate that equals the word, ignoring case; fails if there is none.
match() {
  local word=$1 candidate
  shift
  for candidate in "$@"; do
    if [ "$(printf '%s' "$candidate" | lowercase)" = "$(printf '%s' "$word" | lowercase)" ]; then
      printf '%s\n' "$candidate"
      return
    fi
  done
  return 1
}

# is_among WORD CANDIDATE...: whether a word is one of the candidates.
is_among() {
  local word=$1 candidate
  shift
  for candidate in "$@"; do [ "$candidate" != "$word" ] || return 0; done
  return 1
}

# require_build_folder: ends the script if the folder of all builds cannot be written.
require_build_folder() {
  { mkdir -p "$root/.build" && [ -w "$root/.build" ]; } || die 1 "$root/.build cannot be written: use a writable copy"
}

# begin_edit: starts an edit: of files, by `replace`, and of new ones, which are added to the array `created`. When the script
# ends before it sets `complete`, what it has written is undone. `work` is a temporary folder.
begin_edit() {
  complete='' created=() replaced=() lock=''
  work=$(mktemp -d)
  trap end_edit EXIT
}

# lock_project: has other scripts wait until this one has ended, before they read files of the project that they edit: of two
# edits of a file at the same time, one would be lost.
lock_project() {
  local deadline=$((SECONDS + 10))
  require_build_folder
  until mkdir "$root/.build/edit" 2>/dev/null; do
    [ $SECONDS -lt $deadline ] || die 1 "another script edits the project; if none does, remove the folder $root/.build/edit"
    sleep 0.1
  done
  lock=$root/.build/edit
}

# replace FILE TEXT: replaces a file by another one.
replace() {
  cp -p "$1" "$work/before.${#replaced[@]}"
  replaced+=("$1")
  cp "$2" "$1"
}

end_edit() {
  if [ -z "$complete" ] && [ $((${#replaced[@]} + ${#created[@]})) -gt 0 ]; then
    for ((index = 0; index < ${#replaced[@]}; index++)); do
      cmp -s "$work/before.$index" "${replaced[index]}" || cp -p "$work/before.$index" "${replaced[index]}"
    done
    [ ${#created[@]} = 0 ] || rm -rf "${created[@]}"
    say "$(basename "$0"): it did not come to its end: what it had written is removed"
  fi
  rm -rf "$work"
  [ -z "$lock" ] || rmdir "$lock"
}

# create_folders FOLDER: creates a folder and those above it, and adds the first new one to the array `created`.
create_folders() {
  local new=$1
  [ ! -d "$1" ] || return 0
  while [ ! -e "$(dirname "$new")" ]; do new=$(dirname "$new"); done
  created+=("$new")
  mkdir -p "$1"
}

require_swift() {
  command -v swift >/dev/null ||
    die 1 "the swift command is not found: install the Swift 6.3 toolchain (https://www.swift.org/install) or add it to PATH"
}

# missing_packages: prints the packages of Debian and Ubuntu that the C targets of the apps need and that are not installed.
missing_packages() {
  [ "$(uname)" = Linux ] || return 0
  [ -e /usr/include/jpeglib.h ] || echo libjpeg-dev
  [ -e /usr/include/png.h ] || echo libpng-dev
  [ -e /usr/include/sodium.h ] || echo libsodium-dev
  [ -e /usr/include/expat.h ] || echo libexpat1-dev
  has_library libqrencode.so.4 || echo libqrencode4
  has_library libcurl.so.4 || echo libcurl4
}

# has_library FILE: whether a shared library is in a folder of some distribution.
has_library() {
  local folder
  for folder in '/usr/lib/*' /usr/lib /usr/lib64 /usr/local/lib /usr/local/lib64; do
    ! compgen -G "$folder/$1" >/dev/null || return 0
  done
  return 1
}

# Whether packages are installed by sudo without a question; --yes of Scripts/run sets it.
assume_yes=''

# ensure_packages [PACKAGE...]: installs the missing packages of the build and the given Debian packages, or prints the
# command that does. Before it uses sudo it asks on a terminal. Without apt-get, a library that a program loads at run time may
# be in a folder that is not known here, and is no reason to stop.
ensure_packages() {
  local packages=() loaded=() as=() reply command
  lines packages < <(missing_packages && for package in "$@"; do
    [ "$(uname)" != Linux ] || dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || echo "$package"
  done)
  [ ${#packages[@]} -gt 0 ] || return 0
  command="sudo apt-get install -y ${packages[*]}"
  if ! command -v apt-get >/dev/null; then
    lines loaded < <(printf '%s\n' "${packages[@]}" | grep -xE 'libcurl4|libqrencode4')
    [ ${#loaded[@]} = 0 ] || say "${loaded[*]} (the names of Debian) were not found: requests need libcurl, QR codes libqrencode"
    [ ${#loaded[@]} -lt ${#packages[@]} ] || return 0
    die 1 "the packages ${packages[*]} (the names of Debian) are missing: install them with the package manager"
  fi
  if [ "$(id -u)" != 0 ]; then
    as=(sudo)
    command -v sudo >/dev/null || die 1 "the packages ${packages[*]} are missing; install them with: $command"
    if [ -z "$assume_yes" ]; then
      if [ -t 0 ] && [ -t 2 ]; then
        printf 'These packages are missing: %s. Install them with sudo apt-get? [Y/n] ' "${packages[*]}" >&2
        read -r reply || { reply=n && say; }
        case $reply in '' | [Yy]*) ;; *) die 1 "nothing was installed; install them with: $command" ;; esac
      elif ! sudo -n true 2>/dev/null; then
        die 1 "the packages ${packages[*]} are missing; install them with: $command"
      fi
    fi
  fi
  say "installing ${packages[*]}"
  { ${as[@]+"${as[@]}"} apt-get update -qq && ${as[@]+"${as[@]}"} apt-get install -y -qq --no-install-recommends --no-upgrade \
    "${packages[@]}"; } >&2 ||
    die 1 "apt-get failed; try: $command"
}

# report_progress LOG: copies the output of a build to a log, and prints its first step and then one at most every ten
# seconds, or PAWKIT_PROGRESS seconds.
report_progress() {
  local line next=0
  while IFS= read -r line; do
    printf '%s\n' "$line" >&3
    # SwiftPM prints "[12/45] Compiling NeedleKit File.swift"; it discovers steps during the build.
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\ ((Compiling|Emitting\ module|Linking)\ [^ ]+) ]] || continue
    [ $SECONDS -ge "$next" ] || continue
    next=$((SECONDS + ${PAWKIT_PROGRESS:-10}))
    say "  step ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]} known so far, after $SECONDS s: ${BASH_REMATCH[3]}"
  done 3>"$1"
}

# quietly LABEL COMMAND...: runs a build. A terminal shows its progress as SwiftPM prints it, a log how far it is and all
# the output of a failed build.
quietly() {
  local label=$1 status=0
  shift
  say "$label"
  if [ -t 2 ]; then
    "$@" >&2 || status=$?
  else
    # In a subshell, whose trap is not that of the script.
    (
      log=$(mktemp)
      trap 'rm -f "$log"' EXIT
      "$@" 2>&1 | report_progress "$log" || { status=$? && cat "$log" >&2; }
      exit $status
    ) || status=$?
  fi
  [ $status = 0 ] || die 1 "the build failed (see above)"
}

# is_at_least MINIMUM VERSION: whether a version is the minimum or a later one.
is_at_least() { [ "$(printf '%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }

# The folder and the options of all debug builds, so that a program, the tests and the documentation share what was compiled.
# Without an index, and with lines as the only debug information, a build takes two thirds of the time; a debugger needs a
# build by `swift build`, which has a folder of its own. PAWKIT_STRICT=1 makes warnings errors.
debug_build=$root/.build/quick
debug_options=(--package-path "$root" --scratch-path "$debug_build" --disable-index-store -debug-info-format none
  -Xswiftc -gline-tables-only)
[ -z "${PAWKIT_STRICT-}" ] || debug_options+=(-Xswiftc -warnings-as-errors)
# lld is part of the toolchain, and links the tests in half the time.
[ "$(uname)" != Linux ] || debug_options+=(-Xswiftc -use-ld=lld)

# is_loadable BINARY STAMP: whether the libraries of a program are those of its last build. A debug program contains the folder of
# its toolchain, which may have been moved or updated since.
is_loadable() {
  local libraries runtime
  [ "$(uname)" = Linux ] || return 0
  libraries=$(ldd "$1" 2>/dev/null || true)
  case $libraries in *'not found'*) return 1 ;; esac
  runtime=$(printf '%s\n' "$libraries" | LC_ALL=C sed -n 's/.*libswiftCore\.so => \(.*\) (.*/\1/p')
  # The files of an update have the times of its making, but they have changed when it was installed.
  [ -z "$runtime" ] || [ -z "$(find -L "$runtime" -cnewer "$2")" ]
}

# build_product PRODUCT CONFIGURATION FOLDER...: builds a program if a file in the folders or its toolchain has changed since its
# last build, and prints its path. The configuration is debug, release, or standalone: a release that needs no file of the
# toolchain and whose bytes depend on the sources alone, not on the folder of the project.
build_product() (
  product=$1 configuration=$2
  shift 2
  build="$root/.build/$configuration" options=(--package-path "$root" --configuration "$configuration") first=''
  case $configuration in
    debug) build="$debug_build/debug" options=("${debug_options[@]}") ;;
    standalone) build="$root/.build/standalone/release" && set_standalone_options ;;
  esac
  binary="$build/$product" stamp="$build/.$product.built"
  sources=("$root/Package.swift")
  for folder in "$@"; do sources+=("$root/$folder"); done
  if [ ! -x "$binary" ] || [ ! -e "$stamp" ] || [ -n "$(find "${sources[@]}" -newer "$stamp" -print -quit)" ] ||
    ! is_loadable "$binary" "$stamp"; then
    require_swift
    [ -x "$binary" ] || case $configuration in
      debug) first='; the first build takes one to two minutes, later ones compile what changed' ;;
      *) first='; the first optimised build takes several minutes, later ones compile what changed' ;;
    esac
    # The time before the build: files that change during the build are built the next time. Each of several builds has its own.
    begun="$root/.build/.$product.$configuration.begun.$$"
    trap 'rm -f "$begun"' EXIT
    # The shell of $(build_product ...) continues after a failed command.
    require_build_folder
    touch "$begun" || exit
    quietly "building $product ($configuration)$first" swift build "${options[@]}" --product "$product"
    mv "$begun" "$stamp" || exit
  fi
  printf '%s\n' "$binary"
)

# set_standalone_options: sets the options of a standalone build, in the variable of the caller.
set_standalone_options() {
  local option
  options=(--package-path "$root" --configuration release --scratch-path "$root/.build/standalone" -debug-info-format none
    -Xswiftc -file-prefix-map -Xswiftc "$root=." -Xcc "-ffile-prefix-map=$root=."
    # Otherwise every object contains a hash that depends on the folder.
    -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen
    # An installed program is optimised for its size, which has a limit. The linker omits unused functions if each has a section.
    -Xswiftc -Osize -Xswiftc -Xfrontend -Xswiftc -function-sections)
  [ "$(uname)" = Linux ] || return 0
  # Exported symbols, equal functions, plain relocations and tables for unwinding are a fifth of the program. lld is part of the toolchain.
  options+=(--static-swift-stdlib --disable-local-rpath -Xswiftc -use-ld=lld)
  for option in --build-id=sha1 -z relro -z now --icf=safe "--version-script=$root/Scripts/lib/no-exports.map" \
    --no-eh-frame-hdr "$root/Scripts/lib/no-unwind-tables.ld"; do
    options+=(-Xlinker "$option")
  done
  # An older system cannot load a program with compact relocations.
  ! is_at_least 2.36 "$(getconf GNU_LIBC_VERSION 2>/dev/null | sed 's/.* //')" ||
    options+=(-Xlinker -z -Xlinker pack-relative-relocs)
}
