/** Stands for "all distributors" in a path: a choice of the screen, never a row of a table. */
export const allMerchants = '00000000-0000-7000-8000-000000000000'
