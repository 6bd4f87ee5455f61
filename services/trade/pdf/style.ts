/** Colours and font of the company's printed documents. */
import { inkOn, inkOnPaper, isColor } from '../../../domain/colors.ts';
import { type BrandingSettings, DEFAULT_SETTINGS } from '../../platform/settings/definitions.ts';

export interface Style {
  /** Colours as #rrggbb. */
  readonly primary: string;
  /** The primary colour if it is legible on paper. */
  readonly heading: string;
  /** A colour legible on the primary colour. */
  readonly onPrimary: string;
  readonly accent: string;
  readonly font: BrandingSettings['fontFamily'];
}

/** Takes the printable parts of the branding, with defaults for the rest. */
export function printStyle({ colorPrimary, colorAccent, fontFamily }: BrandingSettings): Style {
  const primary = isColor(colorPrimary) ? colorPrimary : DEFAULT_SETTINGS.branding.colorPrimary;
  return {
    primary,
    heading: inkOnPaper(primary),
    onPrimary: inkOn(primary),
    accent: isColor(colorAccent) ? colorAccent : DEFAULT_SETTINGS.branding.colorAccent,
    font: fontFamily,
  };
}
