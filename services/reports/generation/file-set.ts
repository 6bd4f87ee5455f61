/** Makes the archive of a file set. Everything is read from one snapshot; pages wait for the printer compressed (decision 0372). */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Db } from '../../../db/database.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { writeZip } from '../../platform/files/zip-writer.ts';
import type { Printable } from '../../trade/pdf/render.ts';
import { openReport, type ReportContent } from '../engine/content.ts';
import type { FileSet, SetFile, WrittenFile } from '../engine/declaration.ts';
import { findFormat } from '../engine/formats.ts';
import { renderReport } from '../engine/paper.ts';
import { paperParts } from '../engine/parts.ts';
import type { ReportOrder } from '../engine/request.ts';
import { MAX_PDF_ROWS } from '../engine/size.ts';
import { counted, type GenerationRun, MAX_BYTES, renderBytes } from './render.ts';

const [compress, inflate] = [promisify(gzip), promisify(gunzip)];
/** Percentages of the task at the end of reading, and of printing. */
const [READ, PRINTED] = [60, 95];

/** Prints a page as PDF. */
type Print = (page: Printable) => Promise<Uint8Array>;

/** A page that waits for the printer, with its HTML compressed. */
interface WaitingPage extends Omit<Printable, 'html'> {
  readonly html: Uint8Array;
}

/** A file with its parts, written or waiting. */
interface ReadFile {
  readonly file: SetFile;
  readonly parts: readonly (Uint8Array | WaitingPage)[];
}

/** Everything that a file set is made from. */
export interface SetOrder {
  readonly order: ReportOrder;
  readonly set: FileSet<object, object, object>;
  /** The report that has the set, read. */
  readonly content: ReportContent;
  readonly logo: string | null;
}

/**
 * Reads the files of a set.
 * @param db a snapshot
 * @returns prints what is to be printed, and writes the archive
 * @throws ServiceError invalid_parameter if the files are larger than 100 MB together
 */
export async function readFileSet(
  db: Db,
  { order, set, content, logo }: SetOrder,
  run: GenerationRun,
): Promise<(print: Print) => Promise<Uint8Array>> {
  const files = set.files(content.view);
  const room = limited();
  const read: ReadFile[] = [];
  for (const [index, file] of files.entries()) {
    const { report, params, format } = file;
    const opened = withWarnings(await openReport(db, { ...order, report, params, format }), content.warnings);
    const part = counted(opened, run, [(READ * index) / files.length, (READ * (index + 1)) / files.length]);
    read.push({ file, parts: format === 'pdf' ? await waitingPages(part, logo, room) : await workbook(part, room) });
  }
  return async (print) => {
    const done = await printed(read, print, run);
    const texts = Object.entries(set.describe(content.view, done)).map(([name, text]) => ({
      name,
      content: Buffer.from(text),
    }));
    return await writeZip([...done, ...texts], content.view.ctx.now);
  };
}

/** Adds the warnings of the whole set, which every book must show. */
function withWarnings(content: ReportContent, all: ReportContent['warnings']): ReportContent {
  const missing = all.filter(({ code }) => !content.warnings.some((known) => known.code === code));
  return { ...content, warnings: [...missing, ...content.warnings] };
}

type Room = (bytes: number) => void;

function limited(): Room {
  let all = 0;
  return (bytes) => {
    all += bytes;
    if (all <= MAX_BYTES) return;
    throw new ServiceError(
      'invalid_parameter',
      'The files would be larger than 100 MB together; leave some of them out',
    );
  };
}

async function workbook(content: ReportContent, room: Room): Promise<Uint8Array[]> {
  const bytes = await renderBytes(content, 'excel');
  room(bytes.length);
  return [bytes];
}

async function waitingPages(content: ReportContent, logo: string | null, room: Room): Promise<WaitingPage[]> {
  const pages: WaitingPage[] = [];
  for await (const part of paperParts(content, MAX_PDF_ROWS)) {
    const page = await renderReport(content, logo, part);
    const html = await compress(page.html, { level: 1 });
    room(html.length);
    pages.push({ ...page, html });
  }
  return pages;
}

/** Prints the pages one after the other, and hashes all files. */
async function printed(files: readonly ReadFile[], print: Print, run: GenerationRun): Promise<WrittenFile[]> {
  const pages = files.flatMap(({ parts }) => parts.filter((part) => !(part instanceof Uint8Array))).length;
  const room = limited();
  const done: WrittenFile[] = [];
  let ready = 0;
  for (const { file, parts } of files) {
    for (const [index, made] of parts.entries()) {
      let content = made;
      if (!(content instanceof Uint8Array)) {
        await run.report(Math.floor(READ + ((PRINTED - READ) * ready) / pages), `${ready} of ${pages} PDFs printed`);
        content = await print({ ...content, html: (await inflate(content.html)).toString() });
        ready += 1;
      }
      room(content.length);
      done.push(describedFile(file, { number: index + 1, count: parts.length }, content));
    }
  }
  run.throwIfCancelled();
  return done;
}

function describedFile(file: SetFile, part: WrittenFile['part'], content: Uint8Array): WrittenFile {
  const { report, format } = file;
  const name = `${file.name(part)}.${findFormat(report, format).extension}`;
  return { report, format, part, name, content, sha256: createHash('sha256').update(content).digest('hex') };
}
