/** The operations of the service as methods of resources, for all clients: they follow the paths. */
import { camelCase } from '../../domain/words.ts';
import type { Json } from './components.ts';
import { placedOperations } from './placed.ts';

/** An operation, and how a method that stands for it is called. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  /** Names of the ids in the path. */
  readonly ids: readonly string[];
  readonly kind: 'list' | 'get' | 'file' | 'send' | 'act' | 'upload';
}

/** The operations under a part of a path, without the ids in it. */
interface Node {
  readonly operations: Operation[];
  readonly children: Map<string, Node>;
}
/** Methods by name, and the resources within. */
export interface Resource {
  readonly [name: string]: Operation | Resource;
}

type Content = Readonly<Record<string, { readonly schema?: { readonly $ref?: string } }>>;

function operationsIn(document: Json): Operation[] {
  const { schemas } = document.components as { schemas: Record<string, { properties?: Json }> };
  return placedOperations<Json>(document).map(({ method, path, operation }): Operation => {
    const [, answer] = Object.entries(operation.responses as Record<string, { content?: Content }>).find(
      ([status]) => status < '300',
    ) as [string, { content?: Content }];
    const name = answer.content?.['application/json']?.schema?.$ref?.split('/').at(-1);
    const isList = name !== undefined && schemas[name]?.properties?.pagination !== undefined;
    const isFile = answer.content !== undefined && answer.content['application/json'] === undefined;
    const sent = (operation.requestBody as { content?: Content } | undefined)?.content;
    const kind = method === 'get' ? readKind(isList, isFile) : sendKind(sent);
    const { operationId: id, summary } = operation as { operationId: string; summary: string };
    const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));
    return { id, method: method.toUpperCase(), path, summary, ids, kind };
  });
}

function readKind(isList: boolean, isFile: boolean): Operation['kind'] {
  if (isList) return 'list';
  return isFile ? 'file' : 'get';
}

function sendKind(sent: Content | undefined): Operation['kind'] {
  if (sent === undefined) return 'act';
  return sent['application/json'] === undefined ? 'upload' : 'send';
}

/** Places operations by the fixed words of their paths. */
function toTree(operations: readonly Operation[]): Node {
  const root: Node = { operations: [], children: new Map() };
  for (const operation of operations) {
    let node = root;
    for (const part of operation.path.split('/').slice(2)) {
      if (part.startsWith('{')) continue;
      const name = camelCase(part.replaceAll('-', '_'));
      const next: Node = node.children.get(name) ?? { operations: [], children: new Map() };
      node.children.set(name, next);
      node = next;
    }
    node.operations.push(operation);
  }
  return root;
}

const VERBS: Readonly<Record<string, string>> = {
  GET: 'get',
  POST: 'create',
  PATCH: 'update',
  PUT: 'replace',
  DELETE: 'delete',
};

/** The methods of a node. An act of its own, such as `post` of an invoice, is a method of the resource above. */
function toResource({ operations, children }: Node): Resource {
  const resource: Record<string, Operation | Resource> = {};
  for (const operation of operations) {
    const verb = operation.kind === 'list' ? 'list' : (VERBS[operation.method] as string);
    resource[verb in resource ? operation.id : verb] = operation;
  }
  for (const [name, child] of children) {
    const [only] = child.operations;
    const isAct = child.operations.length === 1 && child.children.size === 0 && only?.kind !== 'list';
    if (name in resource) throw new Error(`${name} would be two things`);
    resource[name] = isAct && only !== undefined ? only : toResource(child);
  }
  return resource;
}

export function isOperation(entry: Operation | Resource): entry is Operation {
  return typeof entry.path === 'string';
}

/** All resources of a description. */
export function resourcesIn(document: Json): Resource {
  return toResource(toTree(operationsIn(document)));
}
