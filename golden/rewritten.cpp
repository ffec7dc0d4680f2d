#include "golden/rewritten.h"

#include <iterator>
#include <utility>

#include "golden/revision_text.h"

namespace revctl::golden {

void AddRecord(OthersChanges& others, std::string_view text, bool unknown) {
  if (const auto record = ParseRecord(text, ""); record.ok()) others.Add(*record, unknown);
}

void AddApproval(OthersChanges& others, std::string_view text) {
  if (const auto approval = ParseApproval(text, ""); approval.ok()) others.Add(*approval);
}

Result<std::vector<NotKept>> FindNotKept(std::string_view before,
                                         const std::vector<std::string>& additions,
                                         std::string_view after, const OthersChanges& others) {
  TRY(const auto now, ParseRecord(after, ""));
  RevisionRecord whole;
  if (auto record = ParseRecord(before, ""); record.ok()) whole = std::move(*record);
  for (const std::string& text : additions) {
    auto record = ParseRecord(text, "");
    if (!record.ok()) continue;
    std::move(record->cases.begin(), record->cases.end(), std::back_inserter(whole.cases));
  }
  return FindNotKept(whole, now, others);
}

}  // namespace revctl::golden
