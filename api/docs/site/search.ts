/** All that the search of the pages looks through: titles of pages, headings and operations, with some words of each. */
export interface Entry {
  readonly path: string;
  readonly title: string;
  /** Where it is: the title of its page. */
  readonly page: string;
  readonly words: string;
}

/** Words kept of a text. */
const MOST = 160;

/** An entry for the search. @param text from which its words are taken */
export function entry(path: string, title: string, page: string, text: string): Entry {
  const words = text
    .replaceAll(/```[\s\S]*?```/g, ' ')
    .replaceAll(/[^\p{L}\p{N}/._-]+/gu, ' ')
    .trim();
  return { path, title, page, words: words.slice(0, MOST) };
}
