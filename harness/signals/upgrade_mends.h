#pragma once
#include <string>
#include <vector>

#include "golden/revision_record.h"
#include "harness/signals/signals.h"

namespace revctl::harness {

/// `change` of a golden's upgraded value: the line by which old files keep what was recorded, where
/// their value is not in them. It comes from a default or from upgrade code. Empty where no one
/// line does that.
std::string KeepLine(const RootType& root, const Decoded& decoded, const golden::Change& change,
                     std::int64_t latest);

/// Each way to mend it: what stood there before, that line, and a revision that makes another value
/// of it, with all that it takes.
std::string UpgradeMends(const CheckContext& context, const RootType& root, const Decoded& decoded,
                         const golden::Change& change);

/// Upgrade code in which `code` stands for what files before a revision become: told in words where
/// the root's body has macros of the program's own.
std::string UpgradeLine(const CheckContext& context, const RootType& root, const Decoded& decoded,
                        const std::string& revision, const std::string& code);

/// Lets a person accept what the finding tells: that the golden becomes something else.
void OfferUpgrade(CheckContext& context, const RootType& root, const Decoded& decoded,
                  const std::vector<golden::Change>& changes, const Finding& finding);

/// A revision's name that the list does not have: `SR_HERO_UPGRADE`.
std::string FreeUpgradeName(const CheckContext& context, const RootType& root);

}  // namespace revctl::harness
