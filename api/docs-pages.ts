/** HTML of the documentation pages. */
import { ERROR_CODES } from '../domain/errors.ts';
import { ERROR_HELP } from './error-help.ts';

/** The page at /docs, rendered by the viewer of the installed package. */
export const REFERENCE_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Business Management Service: interface</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/viewer.css">
</head>
<body>
<div id="reference"></div>
<noscript>The description is at <a href="/api/openapi.json">/api/openapi.json</a>.</noscript>
<script src="/docs/viewer.js"></script>
<script src="/docs/reference.js"></script>
</body>
</html>
`;

/**
 * Starts the viewer with everything collapsed. Nothing may leave the machine, and the browser must not store tokens.
 * The viewer would send the examples of optional parameters with every request that is tried out, so they become plain
 * text.
 */
export const REFERENCE_SCRIPT = `(async () => {
  const spec = await (await fetch('/api/openapi.json')).json();
  for (const parameter of Object.values(spec.components.parameters)) {
    if (parameter.required || parameter.example === undefined) continue;
    parameter.description = [parameter.description, 'For example: ' + parameter.example].filter(Boolean).join('. ');
    delete parameter.example;
  }
  SwaggerUIBundle({
    spec,
    domNode: document.getElementById('reference'),
    deepLinking: true,
    docExpansion: 'none',
    defaultModelsExpandDepth: 0,
    filter: true,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    persistAuthorization: false,
    validatorUrl: null,
  });
})();
`;

/** The page at /docs/errors, the target of the `type` of problems. */
export function errorsPage(): string {
  const rows = Object.entries(ERROR_CODES).map(
    ([code, { status, title }]) =>
      `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${escapeHtml(title)}</td>` +
      `<td>${escapeHtml(ERROR_HELP[code as keyof typeof ERROR_CODES])}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Error codes</title>
<link rel="icon" href="data:,">
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .5rem .75rem; border-bottom: 1px solid #ddd; }
tr:target { background: #fff4c2; }
</style>
</head>
<body>
<h1>Error codes</h1>
<p>Every refusal is <code>application/problem+json</code> (RFC 9457) with one of these codes.
The interface is at <a href="/docs">/docs</a>.</p>
<table>
<thead><tr><th>Code</th><th>Status</th><th>Meaning</th><th>What to do</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
