"""Signs in at the authorization server of server.py and confirms or denies a device code, as a person does in a browser.

usage: approve.py BASE CODE confirm|deny
"""

import html
import http.cookiejar
import re
import sys
import urllib.parse
import urllib.request

base, code, action = sys.argv[1:4]
browser = urllib.request.build_opener(
    urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
)


def fields(page):
    """Returns the hidden fields of the last form of a page."""
    form = page.rsplit("<form", 1)[1]
    inputs = re.findall(r"<input[^>]*>", form)
    pairs = {}
    for text in inputs:
        name = re.search(r'name="([^"]*)"', text)
        value = re.search(r'value="([^"]*)"', text)
        if name and 'type="hidden"' in text:
            pairs[name.group(1)] = html.unescape(value.group(1)) if value else ""
    return pairs


def get(address):
    with browser.open(address) as response:
        return response.geturl(), response.read().decode()


def post(address, page, **more):
    data = urllib.parse.urlencode(fields(page) | more).encode()
    request = urllib.request.Request(address, data, {"Referer": address})
    with browser.open(request) as response:
        return response.geturl(), response.read().decode()


address, page = get(base + "/identity/o/device?" + urllib.parse.urlencode({"code": code}))
if "/accounts/login" in address:
    address, page = post(address, page, login="jisu", password="k9-leash!")
_, page = post(address, page, action=action)
expected = {"confirm": "Device Authorized", "deny": "Device Denied"}[action]
if expected not in page:
    sys.exit("the page does not say: " + expected)
