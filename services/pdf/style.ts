/** The company's colours and font, as they are printed. */
import { inkOn, inkOnPaper, isColor } from '../../domain/colors.ts';
import { type BrandingSettings, DEFAULT_SETTINGS } from '../settings/definitions.ts';

export interface Style {
  /** #rrggbb, like all of them. */
  readonly primary: string;
  /** The primary colour, if legible on paper. */
  readonly heading: string;
  /** A colour legible on the primary colour. */
  readonly onPrimary: string;
  readonly accent: string;
  readonly font: BrandingSettings['fontFamily'];
}

/** What of the branding can be printed, defaults for the rest. */
export function styleOf({ colorPrimary, colorAccent, fontFamily }: BrandingSettings): Style {
  const primary = isColor(colorPrimary) ? colorPrimary : DEFAULT_SETTINGS.branding.colorPrimary;
  return {
    primary,
    heading: inkOnPaper(primary),
    onPrimary: inkOn(primary),
    accent: isColor(colorAccent) ? colorAccent : DEFAULT_SETTINGS.branding.colorAccent,
    font: fontFamily,
  };
}
