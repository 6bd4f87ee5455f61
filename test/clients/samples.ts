/** The examples of all operations, as the pages at /docs show them. */
import { calledOperations, type Samples, samplesFor } from '../../api/docs/site/samples.ts';
import { resourcesIn } from '../../api/openapi/methods.ts';
import { describeService } from '../../clients/description.ts';

type Described = Record<
  string,
  Record<string, { operationId: string; requestBody?: { content: Record<string, { example?: unknown }> } }>
>;

/** Each operation with its examples. */
export function* sampleCalls(): Generator<{
  readonly id: string;
  readonly ids: readonly string[];
  readonly names: readonly string[];
  readonly samples: Samples;
}> {
  const document = describeService();
  const called = calledOperations(resourcesIn(document));
  for (const item of Object.values(document.paths as Described)) {
    for (const { operationId: id, requestBody } of Object.values(item)) {
      const found = called.get(id);
      if (found === undefined) throw new Error(`${id} has no method`);
      const body = requestBody?.content['application/json']?.example;
      yield { id, ids: found.operation.ids, names: found.names, samples: samplesFor(found, body, false) };
    }
  }
}
