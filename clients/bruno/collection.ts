/** The collection for Bruno, as files: every operation by groups, and the guide's way through them. */
import { type BruRequest, envJsonToBruV2, jsonToBruV2, jsonToCollectionBru } from '@usebruno/lang';
import type { Json } from '../../api/openapi/components.ts';
import {
  type DescribedOperation,
  type DescribedParameter,
  type Placed,
  parameterIn,
  placedOperations,
} from '../../api/openapi/placed.ts';
import { FLOW, type Step } from './flow.ts';

interface Operation extends DescribedOperation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
}

const NAME = 'Business management service';

/** Gets a token before a request whose own has ended: Bruno runs it. The environment has the e-mail and password. */
const LOG_IN = `const needsNone = /\\/api\\/(auth\\/login|setup\\/init)$/.test(req.getUrl());
if (!needsNone && Date.now() > Number(bru.getVar('tokenEnds') || 0)) {
  const answer = await bru.sendRequest({
    method: 'POST',
    url: bru.getEnvVar('address') + '/api/auth/login',
    headers: { 'Content-Type': 'application/json' },
    data: JSON.stringify({ email: bru.getEnvVar('email'), password: bru.getEnvVar('password') }),
  });
  bru.setVar('token', answer.data.token);
  bru.setVar('tokenEnds', Date.now() + (answer.data.expires_in - 30) * 1000);
}`;

/** All files of the collection by path. @param document the description of the interface */
export function brunoCollection(document: Json): Map<string, string> {
  const files = new Map<string, string>([
    ['bruno.json', `${JSON.stringify({ version: '1', name: NAME, type: 'collection' }, null, 2)}\n`],
    [
      'collection.bru',
      jsonToCollectionBru({
        auth: { mode: 'bearer', bearer: { token: '{{token}}' } },
        script: { req: LOG_IN },
        docs: 'Choose the environment *local*, or make one of your own: address, e-mail and password. Requests log in by themselves.',
      }),
    ],
    [
      'environments/local.bru',
      envJsonToBruV2({
        variables: Object.entries({
          address: 'http://127.0.0.1:3000',
          email: 'owner@example.com',
          password: 'correct horse battery',
        }).map(([name, value]) => ({ name, value, enabled: true, secret: false })),
      }),
    ],
  ]);
  for (const [index, step] of FLOW.entries()) {
    files.set(`Guide/${String(index + 1).padStart(2, '0')} ${step.name}.bru`, stepFile(step, index + 1));
  }
  const places = new Map<string, number>();
  for (const { method, path, operation } of placedOperations<Operation>(document)) {
    const folder = fileName(operation.tags[0] ?? 'Others');
    const place = (places.get(folder) ?? 0) + 1;
    places.set(folder, place);
    files.set(
      `${folder}/${fileName(operation.summary)} (${operation.operationId}).bru`,
      operationFile(document, { method, path, operation }, place),
    );
  }
  return files;
}

/** Names of files must do on every system. */
function fileName(text: string): string {
  return text.replaceAll(/[\\/:*?"<>|]/g, '-').trim();
}

function stepFile(
  { name, method, path, query = {}, body, keep = {}, status, expect = {}, docs }: Step,
  seq: number,
): string {
  const asserted = {
    'res.status': status,
    ...Object.fromEntries(Object.entries(expect).map(([at, value]) => [`res.body.${at}`, value])),
  };
  return file({
    meta: { name, type: 'http', seq },
    http: {
      method,
      url: `{{address}}${path}${queryText(query)}`,
      body: body === undefined ? 'none' : 'json',
      auth: needsToken(path) ? 'inherit' : 'none',
    },
    params: Object.entries(query).map(([given, value]) => ({ name: given, value, enabled: true, type: 'query' })),
    ...(body === undefined ? {} : { body: { json: JSON.stringify(body, null, 2) } }),
    vars: {
      res: Object.entries(keep).map(([kept, at]) => ({
        name: kept,
        value: `res.body.${at}`,
        enabled: true,
        local: false,
      })),
    },
    assertions: Object.entries(asserted).map(([at, value]) => ({ name: at, value: `eq ${value}`, enabled: true })),
    docs,
  });
}

function operationFile(document: Json, { method, path, operation }: Placed<Operation>, place: number): string {
  const { summary, description = '', parameters = [], requestBody } = operation;
  const known = parameters.map((parameter) => parameterIn(document, parameter));
  const example = requestBody?.content['application/json']?.example;
  const isUpload = requestBody !== undefined && requestBody.content['application/json'] === undefined;
  const kind = (name: string) => known.filter((parameter) => parameter.in === name);
  return file({
    meta: { name: summary, type: 'http', seq: place },
    http: {
      method,
      url: `{{address}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      body: isUpload ? 'multipartForm' : example === undefined ? 'none' : 'json',
      auth: operation.security?.length === 0 ? 'none' : 'inherit',
    },
    params: [
      ...kind('query').map((one) => ({
        name: one.name,
        value: exampleText(one),
        enabled: one.required === true,
        type: 'query',
      })),
      ...kind('path').map((one) => ({ name: one.name, value: exampleText(one), enabled: true, type: 'path' })),
    ],
    headers: kind('header').map((one) => ({ name: one.name, value: exampleText(one), enabled: false })),
    ...(isUpload ? { body: { multipartForm: [{ name: 'file', type: 'file', value: [], enabled: true }] } } : {}),
    ...(example === undefined ? {} : { body: { json: JSON.stringify(example, null, 2) } }),
    docs: description,
  });
}

/** One request. Empty parts are left out, since Bruno would write empty blocks. */
function file(request: BruRequest): string {
  const filled = Object.entries(request).filter(
    ([, part]) => !(Array.isArray(part) && part.length === 0) && part !== '',
  );
  return jsonToBruV2(Object.fromEntries(filled));
}

function exampleText({ example }: DescribedParameter): string {
  if (example === undefined) return '';
  return (typeof example === 'object' ? JSON.stringify(example) : String(example)).replaceAll('\n', ' ');
}

function queryText(query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? '' : `?${text}`;
}

function needsToken(path: string): boolean {
  return !['/api/setup/init', '/api/auth/login'].includes(path);
}
