// A list is known by its name: another commit may have its file at another path.
#include "revctl/commands/list_at.h"

namespace revctl::commands {

std::optional<config::Config> ConfigAt(const git::Repository& repository, const git::Oid& commit, const std::string& folder) {
  auto text = repository.ReadFile(commit, folder + std::string(config::kFileName));
  if (!text.ok() || !text->has_value()) return std::nullopt;
  auto parsed = config::ParseConfig(**text, config::kFileName);
  if (!parsed.ok()) return std::nullopt;
  return std::move(*parsed);
}

list::ListConfig ListAt(const git::Repository& repository, const git::Oid& commit, const std::string& folder, const list::ListConfig& list) {
  const auto there = ConfigAt(repository, commit, folder);
  const auto* named = there ? there->ListNamed(list.name) : nullptr;
  return named == nullptr ? list : *named;
}

}  // namespace revctl::commands
