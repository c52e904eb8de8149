#include "api/study/plain_page.hpp"

#include <fmt/format.h>

namespace trunnion::api {

namespace {

constexpr const char* kStyle =
    ":root{--back:#f6f7f9;--panel:#fff;--line:#dde1e7;--text:#22262d;--soft:#68707d;color-scheme:light dark}"
    "@media(prefers-color-scheme:dark){:root{--back:#101317;--panel:#181c22;--line:#2c323b;--text:#dfe3e9;--"
    "soft:#8d96a3}}"
    "body{margin:24px auto;max-width:860px;background:var(--back);color:var(--text);font:13px/1.45 "
    "system-ui,sans-serif}"
    "h1{font-size:17px}p{color:var(--soft)}table{border-collapse:collapse;background:var(--panel);width:100%}"
    "th,td{padding:3px 8px;border:1px solid var(--line);text-align:right;font-variant-numeric:tabular-nums}"
    "th:first-child,td:first-child{text-align:left}svg{max-width:100%;height:auto}";

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') out += "&lt;";
    else if (c == '>') out += "&gt;";
    else if (c == '&') out += "&amp;";
    else out += c;
  }
  return out;
}

std::string plain_page(std::string_view title, std::string_view introduction, std::string_view body) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><meta "
      "charset=\"utf-8\"><title>{0}</title>\n<style>{1}</style>\n<h1>{0}</h1>\n"
      "<p>{2}</p>\n{3}\n</html>\n",
      escaped(title), kStyle, escaped(introduction), body);
}

}  // namespace trunnion::api
