#include "harness/history/recorded_numbers.h"

#include <algorithm>
#include <map>

#include "harness/layout/field_matching.h"

namespace revctl::harness {
namespace {

using Moved = std::map<std::int64_t, std::int64_t>;  // number then, number now

/// What the record says of the day it was made.
Moved SaidNumbers(const revctl::ListTable& list, const golden::RevisionRecord& record) {
  Moved moved;
  bool any = false;
  for (const auto& [name, number] : record.pending) {
    const revctl::ListEntry* entry = list.Find(std::string_view(name));
    if (entry == nullptr) continue;  // given up: no code names it
    moved.emplace(number, entry->number);
    any = any || entry->number != number;
  }
  return any ? moved : Moved();
}

/// Those of the record itself, and of the branch's own records that it was made behind.
Moved MovedNumbers(const revctl::ListTable& list, const golden::Store& store,
                   const golden::RevisionRecord& record) {
  Moved moved;
  const golden::RevisionRecord* at = &record;
  for (std::int64_t below = record.number;;) {
    const revctl::ListEntry* entry = list.Find(std::string_view(at->revision));
    if (entry == nullptr || entry->number == at->number) return moved;  // landed: it stays
    if (at != &record && entry->number < below) return moved;           // it stood there already
    moved.emplace(at->number, entry->number);
    const golden::StoredRecord* before = at->previous.empty() ? nullptr : store.Find(at->previous);
    if (before == nullptr || before->record.number >= below) return moved;
    at = &before->record;
    below = at->number;
  }
}

bool MovedUp(const Moved& moved) {
  std::int64_t last = 0;
  for (auto at = moved.begin(); at != moved.end(); ++at) {
    if (at->second <= at->first || (at != moved.begin() && at->second <= last)) return false;
    last = at->second;
  }
  return true;
}

std::int64_t Today(const Moved& moved, std::int64_t number) {
  if (const auto own = moved.find(number); own != moved.end()) return own->second;
  // `<= SR_X` asks for the number behind it.
  const auto before = moved.find(number - 1);
  return before == moved.end() ? number : before->second + 1;
}

}  // namespace

std::deque<golden::RecordedType> WithTodaysNumbers(const revctl::ListTable& list,
                                                   const golden::Store& store,
                                                   const golden::RevisionRecord& record) {
  const bool said = !record.pending.empty();
  const Moved moved = said ? SaidNumbers(list, record) : MovedNumbers(list, store, record);
  if (moved.empty() || (!said && !MovedUp(moved))) return {};
  const auto gate = [&](const std::string& name, std::int64_t& number) {
    const std::string last = LastComponent(name);
    if (const auto* entry = list.Find(std::string_view(last))) number = entry->number;
  };
  std::deque<golden::RecordedType> types(record.types.begin(), record.types.end());
  for (golden::RecordedType& type : types) {
    std::vector<std::int64_t>& compared = type.layout.compared;
    for (std::int64_t& number : compared) number = Today(moved, number);
    std::sort(compared.begin(), compared.end());
    compared.erase(std::unique(compared.begin(), compared.end()), compared.end());
    for (auto* fields : {&type.layout.fields, &type.removed}) {
      for (revctl::LayoutField& field : *fields) {
        gate(field.since, field.since_number);
        gate(field.until, field.until_number);
      }
    }
  }
  return types;
}

}  // namespace revctl::harness
