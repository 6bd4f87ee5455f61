/** SQL of what items inherit from their categories. */

/**
 * A value of a category, or of the nearest one above that has one; null if none has.
 * @param id SQL of the category
 * @param value SQL of the value of a category `c`
 */
export function inherited(id: string, value: string): string {
  return `(with recursive above as (
    select c.parent_id, ${value} as value, 0 as step from categories c where c.id = ${id}
    union all
    select c.parent_id, ${value}, above.step + 1 from above join categories c on c.id = above.parent_id where above.value is null
  ) select value from above where value is not null order by step limit 1)`;
}
