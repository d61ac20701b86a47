/** A choice: its value, and its text in the reader's language. */
export interface Option {
  value: string
  label: string
}
