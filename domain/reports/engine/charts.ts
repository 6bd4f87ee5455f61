/** Charts of reports, independent of the drawing library. */

export interface Chart {
  readonly title: string;
  /** `rows`: horizontal bars with names beside them; `bar`: vertical bars with days or months below. */
  readonly kind: 'bar' | 'rows' | 'line' | 'pie';
  /** Labels of the axis, or of the slices of a pie; rows are listed from the top; days are YYYY-MM-DD and shown in the company's format. */
  readonly categories: readonly string[];
  /** One value for each category; a pie has one series. */
  readonly series: readonly { readonly name: string; readonly values: readonly number[] }[];
}
