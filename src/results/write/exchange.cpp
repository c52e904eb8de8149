#include "results/write/exchange.hpp"

#include "results/write/graphics_file.hpp"
#include "results/write/request_file.hpp"
#include "results/write/xrf.hpp"

namespace trunnion::results {

ExchangeFiles asked_for(const model::Model& model) {
  ExchangeFiles files;
  if (const auto* results = model.single<model::Results>()) files.res = results->xrf;
  if (const auto* output = model.single<model::Output>()) {
    const auto on = [](const model::Choice<model::Switch>& s) {
      return s.given() && s.value() == model::Switch::on;
    };
    files.req = on(output->reqsave);
    files.gra = on(output->grsave);
  }
  return files;
}

Writers exchange_writers(const model::Model& model, const system::System& system, const ExchangeFiles& files,
                         const std::string& patterns) {
  Writers out;
  if (files.res) out.push_back(std::make_unique<XrfWriter>(model, system, patterns));
  if (files.req) out.push_back(std::make_unique<RequestWriter>(model, system, patterns));
  if (files.gra) out.push_back(std::make_unique<GraphicsWriter>(model, system));
  return out;
}

}  // namespace trunnion::results
