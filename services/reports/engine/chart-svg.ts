/** Draws charts as SVG, without a browser. */
import { createRequire } from 'node:module';
import type { Formats } from '../../../domain/locale/formats.ts';
import { decimal } from '../../../domain/money.ts';
import type { Chart } from '../../../domain/reports/engine/charts.ts';

/** The part of echarts used here. */
interface Echarts {
  init(
    element: null,
    theme: null,
    options: { readonly renderer: 'svg'; readonly ssr: true; readonly width: number; readonly height: number },
  ): { setOption(option: object): void; renderToSVGString(): string; dispose(): void };
}

let loaded: Echarts | undefined;

/** Loads echarts with the first chart, since it takes some 20 MB; as a single file, which loads much faster than its 800 modules. */
function echarts(): Echarts {
  loaded ??= createRequire(import.meta.url)('echarts/dist/echarts.min.js') as Echarts;
  return loaded;
}

/** In SVG units; the page determines the printed size. */
export const CHART_SIZE = { width: 760, height: 240 };
/** Maximum length of a name beside a bar. */
const MAX_LABEL_LENGTH = 36;
/** Wider than the letters of most fonts: without a browser, nothing can be measured. */
const LETTER_WIDTH = 7.2;
const GRID = { left: 8, right: 8, top: 16, containLabel: true };
const INK = '#374151';
const LINE = '#e5e7eb';
/** Colours after the company's own two. */
const FURTHER = ['#f59e0b', '#6366f1', '#ef4444', '#14b8a6', '#a855f7', '#64748b'];

export interface ChartStyle {
  readonly primary: string;
  readonly accent: string;
  /** CSS font families. */
  readonly font: string;
  readonly formats: Formats;
}

/** Draws the chart as an SVG document, without its title. */
export function chartSvg(chart: Chart, style: ChartStyle): string {
  const drawing = echarts().init(null, null, { renderer: 'svg', ssr: true, ...CHART_SIZE });
  try {
    drawing.setOption(chartOptions(chart, style));
    return drawing.renderToSVGString();
  } finally {
    drawing.dispose();
  }
}

function chartOptions(chart: Chart, { primary, accent, font, formats }: ChartStyle): object {
  const amount = (value: number) => formats.amount(decimal(value).toFixed());
  const common = {
    animation: false,
    color: [primary, accent, ...FURTHER],
    textStyle: { fontFamily: font, color: INK },
    legend: {
      show: chart.series.length > 1 || chart.kind === 'pie',
      bottom: 0,
      itemGap: 24,
      textStyle: { color: INK },
    },
  };
  if (chart.kind === 'pie') return { ...common, series: [pie(chart, amount)] };
  const lies = chart.kind === 'rows';
  const categories = chart.categories.map((category) => (lies ? shortened(category) : dayOr(category, formats)));
  const names = {
    type: 'category',
    data: categories,
    // Names stay at the edge: at zero, bars of negative values would cover them.
    axisLine: { onZero: false, lineStyle: { color: INK } },
    ...(lies ? { inverse: true, axisLabel: { interval: 0 } } : {}),
  };
  const values = {
    type: 'value',
    axisLabel: { formatter: (value: number) => formats.number(decimal(value).toFixed()) },
    splitLine: { lineStyle: { color: LINE } },
  };
  return {
    ...common,
    grid: lies ? besideNames(categories) : { ...GRID, bottom: chart.series.length > 1 ? 36 : 8 },
    xAxis: lies ? values : names,
    yAxis: lies ? names : values,
    series: chart.series.map((series, index) => ({
      type: chart.kind === 'line' ? 'line' : 'bar',
      name: series.name,
      data: [...series.values],
      barMaxWidth: lies ? 18 : 36,
      ...(index === 0 && hasNegative(chart) ? zeroLine(lies) : {}),
    })),
  };
}

/** Reserves space at the left for names, and at the right for half of the last figure below. */
function besideNames(names: readonly string[]): object {
  const letters = Math.max(...names.map((name) => name.length));
  return { left: 16 + Math.ceil(letters * LETTER_WIDTH), right: 40, top: 8, bottom: 56 };
}

function dayOr(category: string, formats: Formats): string {
  return /^\d{4}-\d\d-\d\d$/.test(category) ? formats.day(category) : category;
}

function shortened(name: string): string {
  return name.length > MAX_LABEL_LENGTH ? `${name.slice(0, MAX_LABEL_LENGTH - 1).trimEnd()}…` : name;
}

function hasNegative({ series }: Chart): boolean {
  return series.some(({ values }) => values.some((value) => value < 0));
}

/** The line at zero, where bars begin; the axis itself is at the edge. */
function zeroLine(lies: boolean): object {
  const lineStyle = { color: INK, type: 'solid', width: 1 };
  const data = [lies ? { xAxis: 0 } : { yAxis: 0 }];
  return { markLine: { silent: true, symbol: 'none', label: { show: false }, lineStyle, data } };
}

function pie({ categories, series }: Chart, amount: (value: number) => string): object {
  const values = series[0]?.values ?? [];
  const data = categories.map((name, index) => ({ name, value: values[index] ?? 0 }));
  const label = { formatter: ({ name, value }: { name: string; value: number }) => `${name}: ${amount(value)}` };
  return { type: 'pie', radius: '70%', center: ['50%', '45%'], data, label };
}
