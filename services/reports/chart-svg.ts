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
/** About what the axis of amounts leaves of it. */
const PLOT_WIDTH = 680;
/** More categories are days or months, which need no label each. */
const MOST_NAMED = 12;
const MOST_LETTERS = 36;
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
    xAxis: {
      type: 'category',
      data: chart.categories.map((category) => (/^\d{4}-\d\d-\d\d$/.test(category) ? formats.day(category) : category)),
      axisLabel: labelsOf(chart),
      axisLine: { lineStyle: { color: INK } },
    },
    yAxis: {
      type: 'value',
      axisLabel: { formatter: (value: number) => formats.number(decimal(value).toFixed()) },
      splitLine: { lineStyle: { color: LINE } },
    },
    series: chart.series.map(({ name, values }) => ({ type: chart.kind, name, data: [...values], barMaxWidth: 36 })),
  };
}

/** A few categories have names: each is shown, on several lines and shortened if long. Of many there are as many as have room. */
function labelsOf({ categories }: Chart): object {
  if (categories.length > MOST_NAMED) return {};
  const width = Math.floor((PLOT_WIDTH / categories.length) * 0.92);
  return { interval: 0, width, overflow: 'break', lineHeight: 14, formatter: shortened };
}

function shortened(name: string): string {
  return name.length > MOST_LETTERS ? `${name.slice(0, MOST_LETTERS - 1).trimEnd()}…` : name;
}

function pie({ categories, series }: Chart, amount: (value: number) => string): object {
  const values = series[0]?.values ?? [];
  const data = categories.map((name, index) => ({ name, value: values[index] ?? 0 }));
  const label = { formatter: ({ name, value }: { name: string; value: number }) => `${name}: ${amount(value)}` };
  return { type: 'pie', radius: '70%', center: ['50%', '45%'], data, label };
}
