/** Open documents without a lifecycle get one again. Page by page, so that a hundred thousand of them are a few hundred questions. */
import { heartbeat } from '@temporalio/activity';
import type { Database } from '../db/database.ts';
import { isFinal } from '../domain/documents/transitions.ts';
import { documentsNow, type OpenDocument, openDocuments } from '../services/documents/open-documents.ts';
import { documentLifecycleId } from '../workflows/documents/contract.ts';
import type { ComparisonState } from '../workflows/maintenance/contract.ts';

export interface LifecycleActivities {
  compareLifecycles(state: ComparisonState): Promise<ComparisonState>;
}

export interface LifecycleDeps {
  readonly database: Database;
  readonly lifecycles: {
    /** The workflow ids of lifecycles that run for documents with ids in this range. */
    running(first: string, last: string): Promise<ReadonlySet<string>>;
    /** Starts lifecycles where none runs, and tells them the state of their documents. */
    start(documents: readonly OpenDocument[]): Promise<void>;
    /** Tells lifecycles that their documents are not open any more. */
    end(documents: readonly { readonly tenantId: string; readonly documentId: string }[]): Promise<void>;
  };
}

/** Documents in one page, and pages in one activity. */
const PAGE = 500;
const PAGES = 50;

export function createLifecycleActivities({ database, lifecycles }: LifecycleDeps): LifecycleActivities {
  return {
    async compareLifecycles({ after, open, started }) {
      let state: ComparisonState = { after, open, started };
      for (let page = 0; page < PAGES; page++) {
        const documents = await openDocuments(database, state.after, PAGE);
        const [first, last] = [documents[0], documents.at(-1)];
        if (first === undefined || last === undefined) return { ...state, after: null };
        const running = await lifecycles.running(first.documentId, last.documentId);
        const missing = documents.filter((one) => !running.has(documentLifecycleId(one.tenantId, one.documentId)));
        if (missing.length > 0) await startMissing(missing);
        state = {
          after: documents.length < PAGE ? null : last.documentId,
          open: state.open + documents.length,
          started: state.started + missing.length,
        };
        if (state.after === null) break;
        heartbeat();
      }
      return state;
    },
  };

  /** What was closed or deleted meanwhile was told to nobody, since nothing ran: it is told now. */
  async function startMissing(missing: readonly OpenDocument[]): Promise<void> {
    await lifecycles.start(missing);
    const now = new Map(
      (
        await documentsNow(
          database,
          missing.map((one) => one.documentId),
        )
      ).map((one) => [one.documentId, one.status]),
    );
    const over = missing.filter(({ documentId }) => {
      const status = now.get(documentId);
      return status === undefined || isFinal(status);
    });
    if (over.length > 0) await lifecycles.end(over);
  }
}
