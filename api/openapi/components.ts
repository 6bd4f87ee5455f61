/** Schemas of the description, once each. */

export type Json = Record<string, unknown>;

/** Collects schemas that have a title under components, once each, and refers to them from where they are used. */
export class Components {
  readonly schemas: Json = {};
  readonly #taken = new Map<string, string>();

  place(node: unknown): unknown {
    if (Array.isArray(node)) return node.map((entry) => this.place(entry));
    if (typeof node !== 'object' || node === null) return node;
    const placed = Object.fromEntries(Object.entries(node).flatMap(([key, value]) => this.#entry(key, value)));
    return typeof placed.title === 'string' && placed.type === 'object' ? this.#refer(placed.title, placed) : placed;
  }

  /** Our own keywords in the words of JSON Schema. */
  #entry(key: string, value: unknown): [string, unknown][] {
    if (key === 'decimalPlaces') return [['multipleOf', Number(`1e-${value}`)]];
    if (key === 'x-list' || key === 'x-measure') return [];
    if (key === 'format' && value === 'http-url') return [['format', 'uri']];
    return [[key, this.place(value)]];
  }

  #refer(title: string, schema: Json): Json {
    const form = JSON.stringify(schema);
    let name = title;
    for (let suffix = 2; (this.#taken.get(name) ?? form) !== form; suffix++) name = `${title}${suffix}`;
    this.#taken.set(name, form);
    this.schemas[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  }
}
