/** Checks paths against the form of data, so that mistakes are found before the data exists. */
import { camelCase } from '../../words.ts';
import { pathSteps } from './paths.ts';

/** Parts of a JSON Schema that describe the data. */
export interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  /** By regular expression of the member's name. */
  readonly patternProperties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  /** Whether the data has a form of its own, so that every path may lead somewhere. */
  readonly isOpen?: boolean;
}

/** Whether data of this form may have a value at the end of the path, as `valueAt` finds it. */
export function leadsSomewhere(shape: Shape, path: string): boolean {
  return leads(shape, pathSteps(path));
}

function leads(shape: Shape | undefined, steps: readonly string[]): boolean {
  const [step, ...rest] = steps;
  if (shape === undefined || step === undefined) return shape !== undefined;
  if (shape.isOpen === true) return true;
  if (shape.items) return leads(shape.items, /^\d+$/.test(step) ? rest : steps);
  const { properties = {}, patternProperties = {} } = shape;
  const name = [step, camelCase(step)].find((each) => Object.hasOwn(properties, each));
  if (name !== undefined) return leads(properties[name], rest);
  return Object.entries(patternProperties).some(
    ([pattern, member]) => new RegExp(pattern).test(step) && leads(member, rest),
  );
}
