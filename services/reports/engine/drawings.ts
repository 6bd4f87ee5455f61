/** Draws the charts of a report in the company's colours, font and formats. */
import { formatsFor } from '../../../domain/locale/formats.ts';
import type { Picture } from '../../records/exports/excel-pictures.ts';
import { printStyle } from '../../trade/pdf/style.ts';
import { CHART_SIZE, chartSvg } from './chart-svg.ts';
import type { ReportContent } from './content.ts';

/** A drawing with its size in pixels. */
export interface Drawing {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

const FONTS = { sans: 'Noto Sans', serif: 'Noto Serif', mono: 'Noto Sans Mono' };

/** Draws the charts as SVG documents, without their titles. */
export function drawings({ charts, view }: ReportContent): (Drawing & { readonly title: string })[] {
  if (charts.length === 0) return [];
  const { branding, format } = view.settings;
  const { primary, accent, font } = printStyle(branding);
  const style = { primary, accent, font: FONTS[font], formats: formatsFor(format, null) };
  return charts.map((chart) => ({ title: chart.title, svg: chartSvg(chart, style), ...CHART_SIZE }));
}

/** Draws the charts as pictures, one after the other. @param draw makes a PNG */
export async function pictures(
  content: ReportContent,
  draw: (drawing: Drawing) => Promise<Uint8Array>,
): Promise<readonly Picture[]> {
  const drawn: Picture[] = [];
  for (const { title, width, height, svg } of drawings(content)) {
    drawn.push({ title, width, height, png: await draw({ svg, width, height }) });
  }
  return drawn;
}
