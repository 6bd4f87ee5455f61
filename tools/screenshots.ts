/**
 * Takes the screenshots of the README on a running service with the demo's data: a page of the documentation, the list of the Temporal UI,
 * an invoice and a report with a chart. `npm run screenshots -- --url … --temporal-ui … --email … --password …`
 */
import { mkdirSync } from 'node:fs';
import { createCanvas } from '@napi-rs/canvas';
import { Command } from 'commander';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import puppeteer, { type Browser } from 'puppeteer';
import sharp from 'sharp';
import { findChromium } from '../runtime/chromium.ts';

const TARGET = new URL('../docs/screenshots/', import.meta.url);
const WIDTH = 1400;
const HEIGHT = 900;
/** Width in the README. */
const SHOWN = 1000;

const command = new Command('screenshots')
  .option('--url <address>', 'the service', 'http://127.0.0.1:3000')
  .option('--temporal-ui <address>', 'the Temporal UI', 'http://127.0.0.1:8233')
  .requiredOption('--email <address>', 'an owner')
  .requiredOption('--password <password>', 'their password')
  .parse();
const { url, temporalUi, email, password } = command.opts<{
  url: string;
  temporalUi: string;
  email: string;
  password: string;
}>();

mkdirSync(TARGET, { recursive: true });
const { executablePath } = await findChromium();
const browser = await puppeteer.launch({ executablePath, args: ['--no-sandbox'], headless: true });
try {
  await save(
    'docs',
    await shot(browser, `${url}/docs/reference/sales#createSalesInvoice`, '#createSalesInvoice .sample'),
  );
  const query = 'Kind="document"';
  const list = `${temporalUi}/namespaces/default/workflows?query=${encodeURIComponent(query)}`;
  await save('temporal', await shot(browser, list, 'table tbody tr td a'));
} finally {
  await browser.close();
}
const token = await login();
const [invoice] = (await json('/api/sales/invoices?status=O&limit=1&sort=-date')).data as { id: string }[];
await save('invoice', await firstPage(await file(`/api/sales/invoices/${invoice?.id}/pdf`)));
await save('report', await firstPage(await file('/api/reports/profit-customer?format=pdf')));

async function shot(from: Browser, address: string, ready: string): Promise<Uint8Array> {
  const page = await from.newPage();
  await page.setViewport({ width: WIDTH, height: HEIGHT });
  await page.goto(address);
  await page.waitForSelector(ready, { timeout: 30_000 });
  // Fonts and rows that come after the first ones.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const image = await page.screenshot();
  await page.close();
  return image;
}

/** The first page of a PDF as an image. */
async function firstPage(pdf: Uint8Array): Promise<Uint8Array> {
  const task = getDocument({ data: pdf, verbosity: 0 });
  const sheet = await (await task.promise).getPage(1);
  const viewport = sheet.getViewport({ scale: 2 });
  const canvas = createCanvas(Math.round(viewport.width), Math.round(viewport.height));
  await sheet.render({ canvas: canvas as never, canvasContext: canvas.getContext('2d') as never, viewport }).promise;
  const image = canvas.toBuffer('image/png');
  await task.destroy();
  return image;
}

async function save(name: string, image: Uint8Array): Promise<void> {
  await sharp(image)
    .resize({ width: SHOWN })
    .png({ palette: true, quality: 80 })
    .toFile(new URL(`${name}.png`, TARGET).pathname);
  console.log(`docs/screenshots/${name}.png`);
}

async function login(): Promise<string> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  return ((await answer.json()) as { token: string }).token;
}

async function file(path: string): Promise<Uint8Array> {
  const answer = await fetch(`${url}${path}`, { headers: { Authorization: `Bearer ${token}` } });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return new Uint8Array(await answer.arrayBuffer());
}

async function json(path: string): Promise<{ data: unknown }> {
  return JSON.parse(new TextDecoder().decode(await file(path)));
}
