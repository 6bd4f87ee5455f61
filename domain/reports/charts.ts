/** Charts of reports, independent of what draws them. */

export interface Chart {
  readonly title: string;
  readonly kind: 'bar' | 'line' | 'pie';
  /** Of the axis, or of the pieces of a pie; days are YYYY-MM-DD, and shown in the company's format. */
  readonly categories: readonly string[];
  /** One value for each category; a pie has one series. */
  readonly series: readonly { readonly name: string; readonly values: readonly number[] }[];
}
