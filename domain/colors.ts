/** Legible colour combinations (WCAG 2.2, relative luminance and contrast ratio). */

export const DARK_INK = '#111827';
export const LIGHT_INK = '#ffffff';
/** WCAG's minimum contrast of large or bold text. */
const MIN_CONTRAST = 3;

/** Whether a text is #rrggbb. */
export function isColor(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text);
}

/** White or nearly black, whichever is more legible on a background. @param background #rrggbb */
export function inkOn(background: string): string {
  return contrast(background, LIGHT_INK) >= MIN_CONTRAST ? LIGHT_INK : DARK_INK;
}

/** The colour itself if it is legible on white paper, else a dark one. @param color #rrggbb */
export function inkOnPaper(color: string): string {
  return contrast(color, LIGHT_INK) >= MIN_CONTRAST ? color : DARK_INK;
}

function contrast(one: string, other: string): number {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function luminance(color: string): number {
  const channel = (start: number) => {
    const value = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}
