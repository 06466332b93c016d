# The programs that Scripts/install and Scripts/package offer, and the files of each. Source lib/common.sh first.
# shellcheck shell=bash disable=SC2154

lines flavours < <(sed -n 's/^ *flavour("\([^"]*\)").*/\1/p' "$root/Package.swift")
lines programs < <(printf '%s\n' "${flavours[@]}" | lowercase && echo dependency-graph)

# command_name PROGRAM: prints the name of the installed command. A flavour has a prefix: "cat" is a program of every system.
command_name() {
  case $1 in
    dependency-graph) echo "$1" ;;
    *) echo "pawkit-$1" ;;
  esac
}

# build_program PROGRAM: builds a program that needs no toolchain and prints its path.
build_program() {
  case $1 in
    dependency-graph) build_product "$1" standalone Modules Scripts/DependencyGraph ;;
    *) build_product "$(match "$1" "${flavours[@]}")" standalone Modules Apps ;;
  esac
}

# stage_program BINARY NAME FOLDER ZSH: writes the files of a program below a folder: bin, share/man and the completions.
# The program itself prints its manual page and its completions, under the name that it has there.
stage_program() {
  local binary=$1 name=$2 folder=$3 zsh=$4 program="$3/bin/$2"
  local manual="$folder/share/man/man1/$name.1" bash="$folder/share/bash-completion/completions/$name"
  local fish="$folder/share/fish/vendor_completions.d/$name.fish"
  zsh="$folder/$zsh/_$name"
  install -d "${program%/*}" "${manual%/*}" "${bash%/*}" "${zsh%/*}" "${fish%/*}"
  install -m 755 "$binary" "$program"
  if [ "$(uname)" = Linux ]; then
    strip --strip-all --remove-section=.comment --remove-section=.note "$program"
  else
    # Of a signed program, only the symbols that nothing refers to can be removed.
    strip -x "$program"
  fi
  "$program" --manual >"$manual"
  "$program" --completions bash >"$bash"
  "$program" --completions zsh >"$zsh"
  "$program" --completions fish >"$fish"
  chmod 644 "$manual" "$bash" "$zsh" "$fish"
}
