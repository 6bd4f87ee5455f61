/** Splits the guide into chapters, each a page. */
import { headingId } from './markdown.ts';

export interface Chapter {
  /** Last part of its address. */
  readonly name: string;
  readonly title: string;
  readonly markdown: string;
}

/** Chapters of the guide, in order: its beginning, then each `##`. */
export function chaptersIn(guide: string): Chapter[] {
  const [beginning = '', ...rest] = guide.split(/^(?=## )/m);
  const first = {
    name: 'before-you-begin',
    title: 'Before you begin',
    markdown: beginning.replace(/^# .*$/m, '# Before you begin'),
  };
  return [
    first,
    ...rest.map((part) => {
      const title = (/^## (.*)$/m.exec(part)?.[1] ?? '').replaceAll('`', '');
      return { name: headingId(title), title, markdown: part.replaceAll(/^#(#+ )/gm, '$1') };
    }),
  ];
}

/** The chapter in which each heading of the guide is, by the heading's id. */
export function chapterOfHeadings(chapters: readonly Chapter[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const { name, markdown } of chapters) {
    for (const [, text = ''] of markdown.matchAll(/^#+ (.*)$/gm)) found.set(headingId(text.replaceAll('`', '')), name);
  }
  return found;
}
