/** The page for operators: links that open the Temporal UI with the right search. */
import { escapedHtml } from '../../../domain/html.ts';

/** Where the Temporal UI is, as its users reach it. */
export interface TemporalUi {
  /** Without a slash at the end; undefined if it is not known. */
  readonly url: string | undefined;
  readonly namespace: string;
}

interface Question {
  readonly asks: string;
  /** With `{company}` and `{code}` for what the reader types, and `{hour}`, `{today}` and `{minute}` for times. */
  readonly query: string;
}

const QUESTIONS: readonly Question[] = [
  { asks: 'What failed today?', query: `ExecutionStatus = "Failed" AND CloseTime > "{today}"` },
  { asks: 'What of the company?', query: `Company = "{company}"` },
  { asks: 'What of the company failed?', query: `Company = "{company}" AND ExecutionStatus = "Failed"` },
  { asks: 'What is about this document?', query: `DocumentCode = "{code}"` },
  {
    asks: 'Which deliveries wait for an endpoint?',
    query: `Kind = "webhook" AND ExecutionStatus = "Running" AND StartTime < "{minute}"`,
  },
  { asks: 'Which deliveries were given up?', query: `Kind = "webhook" AND Outcome = "failed"` },
  { asks: 'What waits for people?', query: `Outcome = "waiting"` },
  {
    asks: 'What has run for more than an hour?',
    query: `ExecutionStatus = "Running" AND StartTime < "{hour}" AND WorkflowType != "documentLifecycle"`,
  },
  { asks: 'Which imports failed?', query: `Kind IN ("import", "statements") AND Outcome = "failed"` },
  { asks: 'Which rules failed?', query: `Kind IN ("automation", "automation-schedule") AND Outcome = "failed"` },
  { asks: 'Which mails were refused?', query: `Kind = "email" AND Outcome = "failed"` },
];

/** The page's content in HTML. The script of the site fills in what the reader types, and the times. */
export function operatorsHtml({ url, namespace }: TemporalUi): string {
  const list = `/namespaces/${encodeURIComponent(namespace)}/workflows`;
  const rows = QUESTIONS.map(({ asks, query }) => {
    const link =
      url === undefined ? escapedHtml(asks) : `<a data-list="${escapedHtml(url + list)}">${escapedHtml(asks)}</a>`;
    return `<tr data-query="${escapedHtml(query)}"><td>${link}</td><td><code>${escapedHtml(query)}</code></td></tr>`;
  });
  const where =
    url === undefined
      ? '<p>The address of the Temporal UI is not known here: set <code>TEMPORAL_UI_URL</code>,\nor paste a query into its filter.</p>'
      : `<p>The links open <a href="${escapedHtml(url + list)}">the Temporal UI</a>.</p>`;
  return `<h1>Operators</h1>
<p>All long work is workflows in Temporal. Type what you look for; the links then show just that.</p>
${where}
<form id="operators">
<label>Short name of the company <input name="company" value="frutas-garci" pattern="[a-z0-9\\-]{1,48}"></label>
<label>Number of the document <input name="code" value="SINV2026-00017" maxlength="60"></label>
</form>
<div class="table" tabindex="0"><table><thead><tr><th>Question</th><th>Query</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>
<h2 id="find-a-company">Find a company by its name</h2>
<p>Ids of workflows begin with a short name of the company: <code>frutas-garci/document/347hq4phb7wscbsq</code>.
It is made from the name once and never changes. On a machine of the service, this tells it by a part of the name or the tax id:</p>
<pre tabindex="0"><code>npm run company -- find García</code></pre>
<h2 id="what-to-do">What to do</h2>
<p>Open a workflow and go to <em>User Metadata</em>: the summary says what it is, the current details show its state
and what you can do. <code>docs/operations.md</code> tells what each button does.</p>`;
}
