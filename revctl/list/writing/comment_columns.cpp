#include "revctl/list/writing/comment_columns.h"

#include <fmt/core.h>
#include <algorithm>
#include <string>

namespace revctl::list::detail {
namespace {

std::size_t CodeWidth(const Item& item) {
  return Column(item.lead + item.head + item.assign + item.initializer);
}

}  // namespace

std::size_t Column(std::string_view text) {
  std::size_t column = 0;
  for (char c : text.substr(text.rfind('\n') + 1))
    column = c == '\t' ? (column / 4 + 1) * 4 : column + 1;
  return column;
}

std::size_t CommentIn(std::string_view tail) {
  const std::size_t line = tail.find("//"), block = tail.find("/*");
  return std::min(line, block);
}

std::size_t CommentColumn(const Item& item) {
  const std::size_t at = CommentIn(item.tail), comma = std::min(item.comma_at, at);
  return Column(fmt::format("{}{}{}{}{},{}", item.lead, item.head, item.assign, item.initializer,
                            item.tail.substr(0, comma), item.tail.substr(comma, at - comma)));
}

CommentColumns::CommentColumns(const Body& body) {
  for (std::size_t i = 0; i < body.items.size(); ++i) Add(body.items[i], i);
}

void CommentColumns::Inserted(const Body& body, std::size_t at) {
  const auto shift = [at](Places& places) {
    for (auto place = places.rbegin(); place != places.rend() && *place >= at; ++place) ++*place;
  };
  // Shift the indexes of the entries after the new one, which exist only in newest-first lists.
  if (!commented_.empty() && commented_.back() >= at) {
    shift(commented_);
    for (auto& [column, places] : columns_) shift(places);
  }
  Add(body.items[at], at);
}

void CommentColumns::Add(const Item& item, std::size_t at) {
  if (CommentIn(item.tail) == std::string::npos) return;
  const std::size_t column = CommentColumn(item), width = CodeWidth(item);
  Widths& widths = widths_.emplace(column, Widths{width, width}).first->second;
  widths = {std::min(widths.least, width), std::max(widths.most, width)};
  if (item.kind != EntryKind::Revision) return;
  Places& places = columns_[column];
  for (Places* all : {&commented_, &places})
    all->insert(std::upper_bound(all->begin(), all->end(), at), at);
  if (places.size() > columns_[fullest_].size()) fullest_ = column;
}

const Item* CommentColumns::Nearest(const Body& body, const Item* neighbour) const {
  if (neighbour == nullptr || commented_.empty()) return nullptr;
  const Places& most = columns_.at(fullest_);
  const bool usual = most.size() >= 3 && most.size() * 2 > commented_.size();
  const Places& places = usual ? most : commented_;
  const auto at = static_cast<std::size_t>(neighbour - body.items.data());
  const auto above = std::lower_bound(places.begin(), places.end(), at);
  if (above == places.begin()) return &body.items[*above];
  const std::size_t below = *(above - 1);
  const bool nearer = above != places.end() && *above - at < at - below;
  return &body.items[nearer ? *above : below];
}

bool CommentColumns::IsAligned(const Item& item) const {
  const std::size_t at = CommentIn(item.tail), comma = std::min(item.comma_at, at);
  if (at - comma < 2 && item.tail.find('\t') == std::string::npos) return false;
  if (at - comma > 2) return true;
  const auto widths = widths_.find(CommentColumn(item));
  const std::size_t code = CodeWidth(item);
  return widths != widths_.end() && (widths->second.least != code || widths->second.most != code);
}

}  // namespace revctl::list::detail
