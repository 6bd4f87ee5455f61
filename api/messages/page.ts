/** A small page for people who follow a link in a mail: text and forms, no scripts. */
import { escapedHtml } from '../../domain/html.ts';
import type { Language } from '../../domain/locale/formats.ts';

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Answers with a page. @param content HTML */
export function smallPage({
  language,
  title,
  content,
  wide = false,
}: {
  readonly language: Language;
  readonly title: string;
  readonly content: string;
  /** Whether it has tables. */
  readonly wide?: boolean;
}) {
  const html = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapedHtml(title)}</title>
<link rel="icon" href="data:,">
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: ${wide ? 60 : 26}rem; margin: 4rem auto; padding: 0 1rem; }
button { font: inherit; padding: .6rem 1.2rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #ccc; padding: .3rem .6rem .3rem 0; text-align: left; }
.codes { display: flex; flex-wrap: wrap; gap: 1rem; }
figure { margin: 0; }
</style>
</head>
<body>
<h1>${escapedHtml(title)}</h1>
${content}
</body>
</html>
`;
  return {
    status: 200,
    body: Buffer.from(html),
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    },
  };
}
