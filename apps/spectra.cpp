// spectra: what formulas make of an undamped vibration, from their own steps.

#include "api/spectra/spectra.hpp"

#include <fstream>

#include "apps/opening.hpp"

namespace trunnion::apps {

int spectra(const SpectraOptions& options) {
  std::vector<api::Spectrum> found;
  const std::vector<double> places = api::spectrum_places();
  for (const std::string& text : options.formulas) {
    std::string why;
    const auto choice = api::formula_choice(text, why);
    auto spectrum = choice ? api::driven_spectrum(*choice, places, why) : std::nullopt;
    if (!spectrum) return complain(why);
    found.push_back(std::move(*spectrum));
  }
  if (options.output.empty()) {
    print(stdout, api::spectra_table(found));
    return kOk;
  }
  std::string text;
  if (options.output.ends_with(".csv")) text = api::spectra_csv(found);
  else if (options.output.ends_with(".svg")) text = api::spectra_svg(found);
  else if (options.output.ends_with(".html")) text = api::spectra_page(found);
  else
    return complain(
        "spectra writes pages, drawings and tables: the name after -o must end in .html, .svg or .csv");
  std::ofstream file(options.output, std::ios::binary);
  return (file << text).flush() ? kOk : complain("cannot write " + options.output);
}

}  // namespace trunnion::apps
