#pragma once
#include "revctl/list/revision_list.h"
#include "revctl/list/source.h"

namespace revctl::list::detail {

/// Finds, for each entry, the comment behind it and the lines that belong to it: comment lines
/// right above it lead it, comment lines below it that are aligned with its trailing comment
/// continue that. An entry that shares its line with others owns from its name to behind its comma
/// only.
void AssignLines(RevisionList& list, const LineTable& lines);

/// What a comment says, without its markers and the blanks around it: `// ae: x` and `/* ae: x */`
/// give `ae: x`.
std::string_view CommentText(std::string_view comment);

}  // namespace revctl::list::detail
