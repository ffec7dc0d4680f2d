#include "revctl/list/rules.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <unordered_map>

#include "revctl/list/entry_kinds.h"
#include "revctl/list/entry_style.h"

namespace revctl::list {
namespace {

using findings::Finding;
using findings::Severity;

std::string Text(std::int64_t number) { return std::to_string(number); }

std::string Lower(std::string_view text) {
  std::string lower;
  for (char c : text) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

/// Letters to change, add or drop to come from one word to the other; words are as short as a prefix. Case counts nothing.
std::size_t Distance(std::string_view x, std::string_view y) {
  const std::string a = Lower(x), b = Lower(y);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

class Judgement {
 public:
  Judgement(const JudgedLists& lists, const ListConfig& config) : lists_(lists), merged_(*lists.merged), config_(config) {
    for (const Entry& entry : merged_.entries) here_.emplace(entry.name, &entry);
    if (lists.target != nullptr) {
      for (const Entry& entry : lists.target->entries) {
        there_.emplace(entry.name, &entry);
        if (entry.kind != EntryKind::Revision) continue;
        landed_by_number_.emplace(entry.number, &entry);
        if (last_landed_ == nullptr || entry.number > last_landed_->number) last_landed_ = &entry;
      }
    }
    for (const Entry& entry : merged_.entries) {
      if (entry.kind == EntryKind::Revision && Landed(entry.name) == nullptr) pending_.push_back(&entry);
    }
    const auto oldest = here_.find(config.oldest);
    if (oldest != here_.end()) oldest_ = oldest->second;
  }

  std::vector<Finding> Run() {
    NamesTwice();
    LandedStays();
    LandedKeepsNumbers();
    NumbersTwice();
    PendingAboveLanded();
    FileOrder();
    CurrentIsLatest();
    Typos();
    CommentNumbers();
    Reserved();
    SentinelIsLast();
    FitsType();
    std::stable_sort(found_.begin(), found_.end(), [](const Finding& a, const Finding& b) { return a.line < b.line; });
    return std::move(found_);
  }

 private:
  const Entry* Landed(const std::string& name) const {
    const auto found = there_.find(name);
    return found != there_.end() && found->second->kind == EntryKind::Revision ? found->second : nullptr;
  }

  std::string At(const Entry& entry) const { return merged_.path + ":" + std::to_string(entry.line); }

  /// `SR_STAMINA (42, origin/main line 13)`: a landed entry as the target has it.
  std::string There(const Entry& entry) const {
    return entry.name + " (" + Text(entry.number) + ", line " + std::to_string(entry.line) + " on " + lists_.target_label + ")";
  }

  Finding& Add(std::string rule, const Entry* entry, std::string revision, std::string message, std::string fix,
               Severity severity = Severity::Error) {
    Finding finding;
    finding.rule = std::move(rule);
    finding.severity = severity;
    finding.message = std::move(message);
    finding.file = merged_.path;
    finding.line = entry != nullptr ? entry->line : merged_.enum_line;
    finding.revision = std::move(revision);
    finding.fix = std::move(fix);
    return found_.emplace_back(std::move(finding));
  }

  static std::string Renumber(const Entry& entry) { return "revctl renumber " + entry.name; }

  // RV002
  void NamesTwice() {
    for (const Entry& entry : merged_.entries) {
      const Entry* const first = here_.at(entry.name);
      if (first == &entry) continue;
      Add("RV002", &entry, entry.name, entry.name + " is " + Text(entry.number) + " here and " + Text(first->number) + " at " + At(*first),
          "give the pending one of the two another name");
    }
  }

  // RV003, RV005
  void LandedStays() {
    if (lists_.target == nullptr) return;
    std::set<const Entry*> taken;
    for (const Entry& landed : lists_.target->entries) {
      if (landed.kind != EntryKind::Revision) continue;
      const auto found = here_.find(landed.name);
      if (found != here_.end() && found->second->kind == EntryKind::Revision) continue;
      if (oldest_ != nullptr && landed.number < oldest_->number) continue;  // purged
      const auto heir = std::find_if(pending_.begin(), pending_.end(), [&](const Entry* entry) {
        return entry->number == landed.number && !taken.contains(entry);
      });
      if (heir != pending_.end()) {
        taken.insert(*heir);
        renamed_.insert((*heir)->name);
        Add("RV005", *heir, landed.name, There(landed) + " has landed and is called " + (*heir)->name + " here",
            "write " + landed.name + " again; a landed revision keeps its name, and a new name is a new revision");
      } else {
        Add("RV003", nullptr, landed.name, There(landed) + " has landed and is missing here",
            "put its line back: " + landed.name + " = " + Text(landed.number) + "; to undo what it did, reserve a new revision that removes the field");
      }
    }
  }

  // RV004: an insertion that shifts a run of implicit numbers is one mistake, so it is one finding.
  void LandedKeepsNumbers() {
    Finding* run = nullptr;
    std::int64_t shift = 0;
    std::size_t more = 0;
    const Entry* inserted = nullptr;  // the entry above, when it is pending
    const auto finish = [&] {
      if (run != nullptr && more > 0) run->message += "; the same holds for " + std::to_string(more) + " behind it";
      run = nullptr;
      more = 0;
    };
    for (const Entry& entry : merged_.entries) {
      if (entry.kind != EntryKind::Revision) continue;
      const Entry* const landed = Landed(entry.name);
      if (landed == nullptr) {
        inserted = &entry;
        continue;
      }
      if (landed->number == entry.number) {
        finish();
      } else if (run != nullptr && !entry.explicit_number && entry.number - landed->number == shift) {
        ++more;
      } else {
        finish();
        shift = entry.number - landed->number;
        std::string message = There(*landed) + " has landed and is " + Text(entry.number) + " here";
        std::string fix = "write " + entry.name + " = " + Text(landed->number);
        if (!entry.explicit_number && inserted != nullptr) {
          message += ", shifted by " + inserted->name + " above it (" + At(*inserted) + ")";
          fix = Renumber(*inserted);
        }
        run = &Add("RV004", &entry, entry.name, std::move(message), std::move(fix));
        // Findings are kept in a vector: the pointer holds until the next one is added, which finish() precedes.
      }
      inserted = nullptr;
    }
    finish();
  }

  // RV001
  void NumbersTwice() {
    std::map<std::int64_t, const Entry*> owner;
    for (const auto& [number, landed] : landed_by_number_) owner.emplace(number, landed);
    for (const Entry* entry : pending_) {
      if (renamed_.contains(entry->name)) continue;
      const auto [place, fresh] = owner.emplace(entry->number, entry);
      if (fresh) continue;
      const Entry* const other = place->second;
      const bool landed = Landed(other->name) == other;
      Add("RV001", entry, entry->name,
          entry->name + " takes " + Text(entry->number) + ", which " + (landed ? There(*other) : other->name + " has (" + At(*other) + ")") +
              (landed ? " has" : ""),
          Renumber(*entry));
      misplaced_.insert(entry->name);
    }
  }

  // RV006
  void PendingAboveLanded() {
    if (last_landed_ == nullptr) return;
    for (const Entry* entry : pending_) {
      if (entry->number > last_landed_->number || misplaced_.contains(entry->name) || renamed_.contains(entry->name)) continue;
      misplaced_.insert(entry->name);
      Add("RV006", entry, entry->name,
          entry->name + " (" + Text(entry->number) + ") would land behind " + There(*last_landed_) + ": files written there lack its fields",
          Renumber(*entry));
    }
  }

  // RV007: entries that have landed in an odd order are as the target has them; what is new has to be in line.
  void FileOrder() {
    const bool falling = merged_.NewestFirst();
    std::vector<const Entry*> order;
    for (const Entry& entry : merged_.entries) {
      if (entry.kind == EntryKind::Revision) order.push_back(&entry);
    }
    if (falling) std::reverse(order.begin(), order.end());
    // From the end: the lowest number that stands behind an entry.
    const Entry* lowest = nullptr;
    for (auto entry = order.rbegin(); entry != order.rend(); ++entry) {
      const bool pending = Landed((*entry)->name) == nullptr;
      if (pending && lowest != nullptr && lowest->number < (*entry)->number && !misplaced_.contains((*entry)->name)) {
        Add("RV007", *entry, (*entry)->name,
            (*entry)->name + " (" + Text((*entry)->number) + ") stands " + (falling ? "below " : "above ") + lowest->name + " (" + Text(lowest->number) +
                ", " + At(*lowest) + ")",
            Renumber(**entry));
      }
      if (lowest == nullptr || (*entry)->number < lowest->number) lowest = *entry;
    }
    LandedOrder(order, falling);
  }

  void LandedOrder(const std::vector<const Entry*>& order, bool falling) {
    if (lists_.target == nullptr) return;
    std::unordered_map<std::string_view, std::size_t> place;
    for (const Entry& entry : lists_.target->entries) place.emplace(entry.name, place.size());
    const Entry* before = nullptr;
    for (const Entry* entry : order) {
      if (Landed(entry->name) == nullptr) continue;
      const bool swapped = before != nullptr && (falling ? place[before->name] < place[entry->name] : place[before->name] > place[entry->name]);
      if (swapped) {
        Add("RV007", entry, entry->name,
            entry->name + " stands on the other side of " + before->name + " (" + At(*before) + ") than on " + lists_.target_label,
            "put the two lines back in the order of " + lists_.target_label);
        return;  // one exchange of places shows at many entries
      }
      before = entry;
    }
  }

  // RV008
  void CurrentIsLatest() {
    const Entry* const current = merged_.Current(config_);
    const Entry* const latest = merged_.Latest();
    if (!config_.current.empty() && current == nullptr) {
      Add("RV008", nullptr, config_.current, "`current` names " + config_.current + ", which is no entry of this list", "correct `current` in .revctl.yaml");
      return;
    }
    if (current == nullptr || latest == nullptr || current->number == latest->number) return;
    const Entry* const before = lists_.target != nullptr ? lists_.target->Current(config_) : nullptr;
    const bool as_on_target = before != nullptr && before->number == current->number && last_landed_ != nullptr && last_landed_->number == latest->number;
    if (as_on_target && config_.current.empty()) return;  // nobody asked for it to be kept
    Add("RV008", current, current->name,
        current->name + " is " + Text(current->number) + ", and the latest is " + latest->name + " (" + Text(latest->number) + ", " + At(*latest) + ")",
        "write " + current->name + " = " + (current->alias_of.empty() && current->explicit_number ? Text(latest->number) : latest->name));
  }

  // RV009
  void Typos() {
    if (config_.prefix.empty()) return;
    const Entry* last = nullptr;
    for (const Entry& entry : merged_.entries) {
      if (entry.kind == EntryKind::Revision) last = &entry;
    }
    for (const Entry& entry : merged_.entries) {
      const bool stands_for_itself = entry.kind == EntryKind::Alias && entry.alias_of.empty() && entry.one_below.empty();
      if (!stands_for_itself || there_.contains(entry.name) || entry.name.starts_with(config_.prefix)) continue;
      if (entry.name == config_.current || entry.name == config_.sentinel || AllowedAlias(entry.name)) continue;
      const bool among = last != nullptr && (entry.line < last->line || (last->number < entry.number && entry.explicit_number));
      const bool alike = Distance(std::string_view(entry.name).substr(0, config_.prefix.size()), config_.prefix) <= (config_.prefix.size() > 3 ? 2u : 1u);
      if (!among && !alike) continue;
      Add("RV009", &entry, entry.name,
          entry.name + " (" + Text(entry.number) + ") does not begin with " + config_.prefix + ", so it is no revision, though it looks like one",
          "write it with " + config_.prefix + ", or list it under `aliases` in .revctl.yaml");
    }
  }

  bool AllowedAlias(const std::string& name) const {
    return std::any_of(config_.aliases.begin(), config_.aliases.end(), [&](const std::string& glob) { return detail::MatchesGlob(name, glob); });
  }

  static std::optional<std::int64_t> CommentNumber(const RevisionList& list, const Entry& entry) {
    const std::string_view comment = std::string_view(list.text).substr(entry.comment_span.begin, entry.comment_span.end - entry.comment_span.begin);
    const auto number = detail::LeadingNumber(comment);
    if (!number) return std::nullopt;
    return number->number;
  }

  // RV010: only in a list that keeps numbers in its comments; elsewhere a comment may well begin with one.
  void CommentNumbers() {
    std::size_t agree = 0, disagree = 0;
    for (const Entry& entry : merged_.entries) {
      const auto number = CommentNumber(merged_, entry);
      if (entry.kind != EntryKind::Revision || !number) continue;
      (*number == entry.number ? agree : disagree) += 1;
    }
    for (const Entry& entry : merged_.entries) {
      const auto number = CommentNumber(merged_, entry);
      if (entry.kind != EntryKind::Revision || !number || *number == entry.number) continue;
      const std::int64_t apart = *number > entry.number ? *number - entry.number : entry.number - *number;
      const bool kept = agree >= 2 && agree > disagree;
      if (!kept && !(agree >= 1 && entry.number >= 100 && apart <= 50)) continue;
      const Entry* const before = Landed(entry.name);
      if (before != nullptr && CommentNumber(*lists_.target, *before) == number) continue;
      Add("RV010", &entry, entry.name, entry.name + " is " + Text(entry.number) + ", and its comment says " + Text(*number),
          "write " + Text(entry.number) + " in the comment", Severity::Warning);
    }
  }

  // RV011, RV012
  void Reserved() {
    std::map<std::string_view, const Reservation*> by_name;
    std::map<std::int64_t, const Reservation*> by_number;
    if (lists_.reservations) {
      for (const Reservation& one : *lists_.reservations) {
        by_name[one.name] = &one;
        by_number[one.number] = &one;
      }
    }
    const std::set<std::string_view> provisional(lists_.provisional.begin(), lists_.provisional.end());
    for (const Entry* entry : pending_) {
      if (renamed_.contains(entry->name)) continue;
      const auto own = by_name.find(entry->name);
      const auto holder = by_number.find(entry->number);
      if (own != by_name.end() && own->second->number == entry->number) continue;
      if (misplaced_.contains(entry->name)) continue;  // renumber, which that asks for already, mends this as well
      if (holder != by_number.end()) {
        Add("RV011", entry, entry->name, entry->name + " takes " + Text(entry->number) + ", which is reserved for " + Of(*holder->second), Renumber(*entry));
      } else if (own != by_name.end()) {
        Add("RV012", entry, entry->name,
            entry->name + " is provisionally " + Text(entry->number) + "; " + Text(own->second->number) + " is reserved for it", Renumber(*entry));
      } else if (provisional.contains(entry->name)) {
        Add("RV012", entry, entry->name, entry->name + " is provisionally " + Text(entry->number) + ": it was taken offline", Renumber(*entry));
      } else if (lists_.reservations && entry->number <= lists_.high_water) {
        Add("RV011", entry, entry->name,
            entry->name + " takes " + Text(entry->number) + ", which was given before (the ledger stands at " + Text(lists_.high_water) + ")", Renumber(*entry));
      } else if (lists_.reservation_required) {
        Add("RV011", entry, entry->name,
            entry->name + " (" + Text(entry->number) + ") is not reserved" + (lists_.reservations ? "" : ", as far as is known here: the ledger was not fetched yet"),
            lists_.reservations ? Renumber(*entry) : "revctl check --fetch");
      }
    }
  }

  static std::string Of(const Reservation& reservation) {
    return reservation.name + (reservation.who.empty() ? "" : " by " + reservation.who);
  }

  // RV013
  void SentinelIsLast() {
    if (!config_.sentinel.empty() && !here_.contains(config_.sentinel)) {
      Add("RV013", nullptr, config_.sentinel, "`sentinel` names " + config_.sentinel + ", which is no entry of this list", "correct `sentinel` in .revctl.yaml");
      return;
    }
    const Entry* sentinel = nullptr;
    const Entry* const latest = merged_.Latest();
    for (const Entry& entry : merged_.entries) {
      if (entry.kind == EntryKind::Sentinel) sentinel = &entry;
      if (entry.kind != EntryKind::Revision || sentinel == nullptr) continue;
      Add("RV013", sentinel, sentinel->name, sentinel->name + " only counts, so it has to be last, and " + entry.name + " stands behind it (" + At(entry) + ")",
          "move " + entry.name + " above " + sentinel->name);
      return;
    }
    if (sentinel == nullptr || latest == nullptr || sentinel->number > latest->number) return;
    Add("RV013", sentinel, sentinel->name,
        sentinel->name + " is " + Text(sentinel->number) + ", which is not above " + latest->name + " (" + Text(latest->number) + ", " + At(*latest) + ")",
        "leave " + sentinel->name + " without a number, behind " + latest->name);
  }

  // RV014
  void FitsType() {
    const int bits = merged_.underlying_bits;
    if (bits == 0 || bits >= 64) {
      if (bits == 0 || merged_.underlying_signed) return;
    }
    const std::int64_t lowest = merged_.underlying_signed ? -(std::int64_t{1} << (bits - 1)) : 0;
    const std::int64_t highest = bits >= 64 ? INT64_MAX : (std::int64_t{1} << (bits - (merged_.underlying_signed ? 1 : 0))) - 1;
    for (const Entry& entry : merged_.entries) {
      if (entry.number >= lowest && entry.number <= highest) continue;
      Add("RV014", &entry, entry.name,
          entry.name + " is " + Text(entry.number) + ", and " + (merged_.underlying.empty() ? "int" : merged_.underlying) + " ends at " +
              Text(entry.number > highest ? highest : lowest),
          "give the enum a wider type");
    }
  }

  const JudgedLists& lists_;
  const RevisionList& merged_;
  const ListConfig& config_;
  std::unordered_map<std::string_view, const Entry*> here_, there_;  ///< first entry of each name
  std::map<std::int64_t, const Entry*> landed_by_number_;
  const Entry* last_landed_ = nullptr;
  const Entry* oldest_ = nullptr;
  std::vector<const Entry*> pending_;
  std::set<std::string> misplaced_;  ///< already told to take another number
  std::set<std::string> renamed_;    ///< landed ones in disguise
  std::vector<Finding> found_;
};

}  // namespace

std::vector<Finding> Judge(const JudgedLists& lists, const ListConfig& config) { return Judgement(lists, config).Run(); }

}  // namespace revctl::list
