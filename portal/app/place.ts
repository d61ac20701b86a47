/** The link of a row; the address names the merchant if it is not the current one. */
export interface Place {
  to: string
  params?: Record<string, string>
  search?: Record<string, string | string[] | undefined>
}
