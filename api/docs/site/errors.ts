/** The page of all error codes, the target of the `type` of problems. */
import { ERROR_CODES } from '../../../domain/errors.ts';
import { escapedHtml } from '../../../domain/html.ts';
import { ERROR_HELP } from '../../error-help.ts';

/** The page's content in HTML. */
export function errorsHtml(): string {
  const rows = Object.entries(ERROR_CODES).map(
    ([code, { status, title }]) =>
      `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${escapedHtml(title)}</td>` +
      `<td>${escapedHtml(ERROR_HELP[code as keyof typeof ERROR_CODES])}</td></tr>`,
  );
  return `<h1>Errors</h1>
<p>Each refusal is <code>application/problem+json</code> (RFC 9457). Its <code>code</code> never changes;
its <code>title</code> is the meaning here.</p>
<div class="table" tabindex="0"><table>
<thead><tr><th>Code</th><th>Status</th><th>Meaning</th><th>What to do</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table></div>`;
}
