/** One Chromium for the whole worker, started with the first page and again when it crashes; pages are reused. */
import type { Logger } from 'pino';
import type { Browser as Chromium, Page } from 'puppeteer';
import type { Drawer } from '../activities/reports/generation.ts';
import type { Printer } from '../activities/trade/pdf.ts';
import { FairQueue } from '../db/fair-queue.ts';
import type { Chromium as Found } from '../runtime/chromium.ts';
import { isolationText } from '../runtime/chromium-launch.ts';
import type { Drawing } from '../services/reports/engine/drawings.ts';
import type { Printable } from '../services/trade/pdf/render.ts';

const PAGE_MS = 30_000;
/**
 * With more cells (a thousand rows), a page takes seconds and up to gigabytes, most of which it keeps. Such tables are printed one at a
 * time, on separate pages, and without tags, which would double the time and take 35 times the space (decision 0194).
 */
const LARGE_CELLS = 10_000;
/** A page that has printed this often is replaced, so that it does not accumulate memory. */
const PRINTS_PER_PAGE = 200;
export const MARGIN = { top: '14mm', right: '14mm', bottom: '18mm', left: '14mm' };

type FindBrowser = () => Promise<Pick<Found, 'isolation' | 'launch'>>;

interface PooledPage {
  readonly page: Page;
  prints: number;
}

export class Browser implements Printer, Drawer {
  readonly #find: FindBrowser;
  readonly #logger: Logger;
  #finding: ReturnType<FindBrowser> | null = null;
  #chromium: Promise<Chromium> | null = null;
  #idle: PooledPage[] = [];
  readonly #large = new FairQueue({ places: 1 });

  constructor(find: FindBrowser, logger: Logger) {
    this.#find = find;
    this.#logger = logger;
  }

  /** Finds a Chromium beforehand, so that nobody has to wait for it, and operators know at once if none runs here. */
  async look(): Promise<void> {
    try {
      await this.#found();
    } catch (error) {
      this.#logger.warn(`PDFs cannot be made: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  async print(printable: Printable): Promise<Uint8Array> {
    if (hasMoreCells(printable.html, LARGE_CELLS)) return this.#large.run(() => this.#printLarge(printable));
    const pooled = this.#idle.pop() ?? { page: await this.#newPage(), prints: 0 };
    try {
      const pdf = await printOn(pooled.page, printable, { tagged: true });
      pooled.prints += 1;
      if (pooled.prints < PRINTS_PER_PAGE) this.#idle.push(pooled);
      else await pooled.page.close();
      return pdf;
    } catch (error) {
      await pooled.page.close().catch(() => undefined); // A failed page is not reused.
      throw error;
    }
  }

  async #printLarge(printable: Printable): Promise<Uint8Array> {
    const page = await this.#newPage();
    try {
      return await printOn(page, printable, { tagged: false });
    } finally {
      await page.close().catch(() => undefined); // A browser that has ended has closed its pages.
    }
  }

  /** Draws with twice the pixels shown, so that the picture stays sharp; on a separate page, since its size is not that of paper. */
  async draw({ svg, width, height }: Drawing): Promise<Uint8Array> {
    const page = await this.#newPage();
    try {
      await page.setViewport({ width, height, deviceScaleFactor: 2 });
      const image = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
      const html = `<style>body { margin: 0 } img { display: block }</style><img src="${image}">`;
      await page.setContent(html, { waitUntil: 'load', timeout: PAGE_MS });
      return await page.screenshot({ type: 'png' });
    } finally {
      await page.close().catch(() => undefined); // A browser that has ended has closed its pages.
    }
  }

  async close(): Promise<void> {
    const chromium = this.#chromium;
    this.#chromium = null;
    this.#idle = [];
    if (chromium !== null) await (await chromium).close();
  }

  async #newPage(): Promise<Page> {
    this.#chromium ??= this.#launch();
    let chromium: Chromium;
    try {
      chromium = await this.#chromium;
    } catch (error) {
      this.#chromium = null; // The next page tries again.
      throw error;
    }
    const page = await chromium.newPage();
    page.setDefaultTimeout(PAGE_MS);
    await page.setJavaScriptEnabled(false);
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      const settled = request.url().startsWith('data:') ? request.continue() : request.abort('blockedbyclient');
      settled.catch((error: unknown) =>
        this.#logger.debug({ error: String(error) }, 'The page was closed in the meantime'),
      );
    });
    return page;
  }

  /** Finds a Chromium; repeated after a failure, since one may have been installed in the meantime. */
  #found(): ReturnType<FindBrowser> {
    this.#finding ??= this.#find();
    this.#finding.catch(() => {
      this.#finding = null;
    });
    return this.#finding;
  }

  async #launch(): Promise<Chromium> {
    const { isolation, launch } = await this.#found();
    const chromium = await launch();
    const text = `Chromium runs ${isolationText(isolation)}`;
    if (isolation.sandbox) this.#logger.info({ isolation }, text);
    else
      this.#logger.warn(
        { isolation },
        `${text}: a vulnerability in it would not be contained. Allow it user namespaces`,
      );
    chromium.once('disconnected', () => {
      if (this.#chromium === null) return; // Closed on purpose.
      this.#logger.warn('Chromium ended; it restarts with the next page');
      this.#chromium = null;
      this.#idle = [];
    });
    return chromium;
  }
}

async function printOn(
  page: Page,
  { html, footer, landscape = false }: Printable,
  { tagged }: { readonly tagged: boolean },
): Promise<Uint8Array> {
  await page.setContent(html, { waitUntil: 'load', timeout: PAGE_MS });
  return page.pdf({
    format: 'A4',
    landscape,
    margin: MARGIN,
    printBackground: true,
    displayHeaderFooter: true,
    headerTemplate: '<span></span>',
    footerTemplate: footer,
    tagged,
    timeout: PAGE_MS,
  });
}

function hasMoreCells(html: string, limit: number): boolean {
  let cells = 0;
  for (let at = html.indexOf('<td'); at >= 0 && cells <= limit; at = html.indexOf('<td', at + 3)) cells++;
  return cells > limit;
}
