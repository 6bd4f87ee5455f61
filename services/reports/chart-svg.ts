/** Draws charts as SVG, without a browser. */
import { createRequire } from 'node:module';
import type { Formats } from '../../domain/locale/formats.ts';
import { decimal } from '../../domain/money.ts';
import type { Chart } from '../../domain/reports/charts.ts';

/** What we use of echarts. */
interface Echarts {
  init(
    element: null,
    theme: null,
    options: { readonly renderer: 'svg'; readonly ssr: true; readonly width: number; readonly height: number },
  ): { setOption(option: object): void; renderToSVGString(): string; dispose(): void };
}

let loaded: Echarts | undefined;

/** Loaded with the first chart, since it takes some 20 MB; as one file, which is much faster than its 800 modules. */
function echarts(): Echarts {
  loaded ??= createRequire(import.meta.url)('echarts/dist/echarts.min.js') as Echarts;
  return loaded;
}

/** In units of SVG; the page decides how large it is printed. */
export const CHART_SIZE = { width: 760, height: 300 };
const INK = '#374151';
const LINE = '#e5e7eb';
/** After the company's own two colours. */
const FURTHER = ['#f59e0b', '#6366f1', '#ef4444', '#14b8a6', '#a855f7', '#64748b'];

export interface ChartStyle {
  readonly primary: string;
  readonly accent: string;
  /** CSS font families. */
  readonly font: string;
  readonly formats: Formats;
}

/** The chart as an SVG document, without its title. */
export function chartSvg(chart: Chart, style: ChartStyle): string {
  const drawing = echarts().init(null, null, { renderer: 'svg', ssr: true, ...CHART_SIZE });
  try {
    drawing.setOption(optionsOf(chart, style));
    return drawing.renderToSVGString();
  } finally {
    drawing.dispose();
  }
}

function optionsOf(chart: Chart, { primary, accent, font, formats }: ChartStyle): object {
  const amount = (value: number) => formats.amount(decimal(value).toFixed());
  const common = {
    animation: false,
    color: [primary, accent, ...FURTHER],
    textStyle: { fontFamily: font, color: INK },
    legend: { show: chart.series.length > 1 || chart.kind === 'pie', bottom: 0, textStyle: { color: INK } },
  };
  if (chart.kind === 'pie') return { ...common, series: [pie(chart, amount)] };
  return {
    ...common,
    grid: { left: 8, right: 8, top: 16, bottom: chart.series.length > 1 ? 36 : 8, containLabel: true },
    xAxis: { type: 'category', data: [...chart.categories], axisLine: { lineStyle: { color: INK } } },
    yAxis: {
      type: 'value',
      axisLabel: { formatter: (value: number) => formats.number(decimal(value).toFixed()) },
      splitLine: { lineStyle: { color: LINE } },
    },
    series: chart.series.map(({ name, values }) => ({ type: chart.kind, name, data: [...values], barMaxWidth: 36 })),
  };
}

function pie({ categories, series }: Chart, amount: (value: number) => string): object {
  const values = series[0]?.values ?? [];
  const data = categories.map((name, index) => ({ name, value: values[index] ?? 0 }));
  const label = { formatter: ({ name, value }: { name: string; value: number }) => `${name}: ${amount(value)}` };
  return { type: 'pie', radius: '70%', center: ['50%', '45%'], data, label };
}
