#include "revctl/landing/landing.h"

namespace revctl::commands {

Result<git::Oid> HeadOf(const git::Repository& repository) {
  TRY(auto head, repository.Head());
  if (!head) return Error{Exit::Environment, "HEAD has no commit", "git log"};
  return std::move(*head);
}

Result<Done> SaveLandState(Landing& landing, LandState::Phase phase) {
  TRY(auto head, HeadOf(landing.repository()));
  landing.state.head = std::move(head);
  landing.state.phase = phase;
  return WriteLandState(landing.repository(), landing.state);
}

std::string AbortAdvice(const LandState& state) {
  return fmt::format("revctl land --abort takes {} back to {}", state.branch,
                     state.start.substr(0, 10));
}

}  // namespace revctl::commands
