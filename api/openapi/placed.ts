/** The operations of an OpenAPI document, for whoever reads one. */
import type { Json } from './components.ts';

export interface DescribedParameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
}

export interface DescribedOperation<P extends DescribedParameter = DescribedParameter> {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security?: readonly object[];
  readonly parameters?: readonly P[];
}

/** An operation where it stands in the document. */
export interface Placed<O> {
  /** In lower case, as in the document. */
  readonly method: string;
  readonly path: string;
  readonly operation: O;
}

/** All operations, in the order of the document. */
export function placedOperations<O = DescribedOperation>(document: Json): Placed<O>[] {
  return Object.entries(document.paths as Readonly<Record<string, Readonly<Record<string, O>>>>).flatMap(
    ([path, item]) => Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );
}

/** A parameter, or the component to which it refers. */
export function parameterIn<P extends DescribedParameter>(document: Json, parameter: P): P {
  const { parameters } = document.components as { readonly parameters: Readonly<Record<string, P>> };
  return parameter.$ref === undefined ? parameter : (parameters[parameter.$ref.split('/').at(-1) as string] as P);
}
