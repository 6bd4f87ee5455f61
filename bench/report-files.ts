/** Files of reports, made by the worker as tasks that a request waits for. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../db/database.ts';

import { findChromium } from '../runtime/chromium.ts';
import { openReport } from '../services/reports/engine/content.ts';
import type { Values } from '../services/reports/engine/declaration.ts';
import { renderReport } from '../services/reports/engine/paper.ts';
import { findReport } from '../services/reports/generation/reports.ts';
import type { Printable } from '../services/trade/pdf/render.ts';
import { MARGIN } from '../worker/browser.ts';
import { fillLedger } from './fill-ledger.ts';
import { type Check, median } from './report.ts';
import type { Service } from './service.ts';
import type { Stage } from './stage.ts';

const YEAR = new Date().getUTCFullYear() - 1;

/** A report of a thousand lines on some twenty pages; and one of one page, whose task costs more than its printing. */
const PRINTED = {
  long: { name: 'journal', params: { from: `${YEAR}-01-01`, to: `${YEAR}-06-30` }, count: 16, least: 0.7 },
  short: { name: 'trial-balance', params: { from: `${YEAR}-01-01`, to: `${YEAR}-12-31` }, count: 40, least: 0.25 },
};
/** Concurrent pages of Chromium, as in a worker. */
const AT_ONCE = 2;
/** Enough concurrent requests to keep the queue full. */
const CLIENTS = 8;
const ROUNDS = 3;

/** Compares the PDFs of a report per second with those that Chromium alone prints from the same HTML. */
export async function reportPdfs(service: Service): Promise<Check> {
  await fillLedger(service, 10_000);
  const [long, short] = [await printed(service, PRINTED.long), await printed(service, PRINTED.short)];
  const words = ({ ratio, perSecond, bare }: typeof long) =>
    `${ratio.toFixed(2)} (${perSecond.toFixed(1)} of ${bare.toFixed(1)})`;
  return {
    name: 'PDFs of a report in a second, of what Chromium alone makes of the same HTML',
    measured: `of ${long.pages} pages ${words(long)}, of ${short.pages} page ${words(short)}`,
    limit: `at least ${PRINTED.long.least}; of one page ${PRINTED.short.least}, since its task costs more than its printing`,
    passed: long.ratio >= PRINTED.long.least && short.ratio >= PRINTED.short.least,
    figures: {
      longRatio: long.ratio,
      longPerSecond: long.perSecond,
      shortRatio: short.ratio,
      shortPerSecond: short.perSecond,
    },
  };
}

async function printed(service: Service, { name, params, count }: (typeof PRINTED)['long']) {
  const path = `/api/reports/${name}?${new URLSearchParams({ ...params, format: 'pdf' })}`;
  const bare = await openBare(await reportPage(service, name, params));
  try {
    const [made, alone]: [number[], number[]] = [[], []];
    for (let round = -1; round < ROUNDS; round++) {
      const ofService = await rate(CLIENTS, count, () => download(service, path));
      const ofChromium = await rate(AT_ONCE, count, bare.print);
      if (round < 0) continue; // Chromium starts with the first PDF.
      made.push(ofService);
      alone.push(ofChromium);
    }
    const pages = (
      Buffer.from(await download(service, path))
        .toString('latin1')
        .match(/\/Type \/Page\b/g) ?? []
    ).length;
    return { pages, ratio: median(made) / median(alone), perSecond: median(made), bare: median(alone) };
  } finally {
    await bare.close();
  }
}

/** Returns the HTML that the service prints. */
async function reportPage({ databaseUrl, tenantId }: Stage, name: string, params: Values): Promise<Printable> {
  const database = new Database({ url: databaseUrl, poolSize: 2, applicationName: 'bench' });
  const ctx = { tenantId, userId: null, actor: 'bench', requestId: 'bench', now: new Date() };
  const order = { report: findReport(name), params, ctx, format: 'pdf' };
  try {
    return await database.snapshot(ctx, async (db) => renderReport(await openReport(db, order), null));
  } finally {
    await database.close();
  }
}

/** Opens a Chromium with the same number of pages, each of which prints one PDF after another. */
async function openBare({ html, footer, landscape = false }: Printable) {
  const browser = await (await findChromium()).launch();
  const pages = await Promise.all(Array.from({ length: AT_ONCE }, () => browser.newPage()));
  return {
    async print() {
      const page = pages.pop();
      if (page === undefined) throw new Error('there are as many pages as prints');
      await page.setContent(html, { waitUntil: 'load' });
      await page.pdf({
        format: 'A4',
        landscape,
        margin: MARGIN,
        printBackground: true,
        displayHeaderFooter: true,
        headerTemplate: '<span></span>',
        footerTemplate: footer,
      });
      pages.push(page);
    },
    close: () => browser.close(),
  };
}

/** Measures how often work is done per second by concurrent clients. */
async function rate(clients: number, count: number, work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  let left = count;
  const client = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: clients }, client));
  return count / ((performance.now() - started) / 1000);
}

async function download({ address, token }: Stage, path: string): Promise<Uint8Array> {
  const answer = await fetch(address + path, { headers: { authorization: `Bearer ${token}` } });
  const bytes = new Uint8Array(await answer.arrayBuffer());
  if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}`);
  return bytes;
}

const ROWS = 200_000;
const LIMIT_MB = 250;
const LOOK_MS = 50;

/** The memory of the worker that writes a journal of 200,000 lines to Excel, and of the API that forwards it. */
export async function reportMemory(service: Service): Promise<Check> {
  await fillLedger(service, ROWS);
  await download(service, `/api/reports/journal?from=${YEAR}-01-01&to=${YEAR}-01-31&format=excel`);
  await service.quiet();
  const memory = (part: string) => service.usage().get(part)?.memory ?? Number.NaN;
  const before = { API: memory('API'), worker: memory('worker') };
  const peak = { ...before };
  const started = performance.now();
  let done = false;
  const file = download(
    service,
    `/api/reports/journal?from=${YEAR - 5}-01-01&to=${YEAR + 1}-12-31&format=excel`,
  ).finally(() => {
    done = true;
  });
  while (!done) {
    for (const part of ['API', 'worker'] as const) peak[part] = Math.max(peak[part], memory(part));
    await sleep(LOOK_MS);
  }
  const bytes = (await file).length;
  const seconds = (performance.now() - started) / 1000;
  const megabytes = (part: 'API' | 'worker') => (peak[part] - before[part]) / 1e6;
  const [api, worker] = [megabytes('API'), megabytes('worker')];
  return {
    name: `a report of ${ROWS} rows as Excel, memory on top of the idle processes`,
    measured:
      `worker ${worker.toFixed(0)} MB, API ${api.toFixed(0)} MB ` +
      `(${(bytes / 1e6).toFixed(1)} MB in ${seconds.toFixed(1)} s)`,
    limit: `${LIMIT_MB} MB together`,
    passed: api + worker <= LIMIT_MB,
    figures: { workerMb: worker, apiMb: api, seconds },
  };
}
