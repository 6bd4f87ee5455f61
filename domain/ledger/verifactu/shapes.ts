/** Shapes: which members of a value are which elements of XML, in order. One declaration both writes and reads. */
import { type Node, node } from '../../xml.ts';
import { parsedDate, printedDate } from './dates.ts';

/** One or more elements that hold members of a value. */
interface Part<T> {
  write(value: T): Node[];
  /** @param elements the children of the parent, by name */
  read(elements: ReadonlyMap<string, Node>): Partial<T>;
}

export type Shape<T> = readonly Part<T>[];

type Key<T> = keyof T & string;

/** An element with text; absent if the member is. */
export function text<T>(member: Key<T>, name: string): Part<T> {
  return converted(
    member,
    name,
    (value) => value,
    (value) => value,
  );
}

/** An element with a date as the agency writes it. */
export function day<T>(member: Key<T>, name: string): Part<T> {
  return converted(member, name, printedDate, parsedDate);
}

function converted<T>(
  member: Key<T>,
  name: string,
  write: (value: string) => string,
  read: (value: string) => string,
): Part<T> {
  return {
    write(value) {
      const one = value[member] as string | undefined;
      return one === undefined ? [] : [node(name, write(one))];
    },
    read(elements) {
      const found = elements.get(name);
      return found === undefined ? {} : holding(member, read(contentText(found)));
    },
  };
}

/** An element that always has the same text. */
export function constant<T>(name: string, value: string): Part<T> {
  return { write: () => [node(name, value)], read: () => ({}) };
}

/** An element with the shape of a member; absent if the member is. */
export function part<T, M extends Key<T>>(member: M, name: string, shape: Shape<NonNullable<T[M]>>): Part<T> {
  return {
    write(value) {
      const one = value[member];
      return one == null ? [] : [node(name, writeShape(shape, one))];
    },
    read(elements) {
      const found = elements.get(name);
      return found === undefined ? {} : holding(member, readShape(shape, found));
    },
  };
}

/** An element that holds one element for each entry of a member; absent if the member is. */
export function list<T, E>(member: Key<T>, name: string, entry: string, shape: Shape<E>): Part<T> {
  return {
    write(value) {
      const entries = value[member] as readonly E[] | undefined;
      return entries === undefined
        ? []
        : [
            node(
              name,
              entries.map((one) => node(entry, writeShape(shape, one))),
            ),
          ];
    },
    read(elements) {
      const found = elements.get(name);
      if (found === undefined) return {};
      return holding(
        member,
        children(found).map((one) => readShape(shape, one)),
      );
    },
  };
}

/** Builds the elements of a value. */
export function writeShape<T>(shape: Shape<T>, value: T): Node[] {
  return shape.flatMap((one) => one.write(value));
}

/** Reads the value of an element; what the shape does not name is left out. */
export function readShape<T>(shape: Shape<T>, element: Node): T {
  const elements = new Map(children(element).map((child) => [child.name, child]));
  return Object.assign({}, ...shape.map((one) => one.read(elements))) as T;
}

function holding<T>(member: Key<T>, value: unknown): Partial<T> {
  return { [member]: value } as Partial<T>;
}

function children({ content }: Node): readonly Node[] {
  return typeof content === 'string' ? [] : content;
}

function contentText({ content }: Node): string {
  return typeof content === 'string' ? content : '';
}
