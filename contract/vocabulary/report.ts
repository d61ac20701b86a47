/** The subject of a report, products by default. The specification names only products; the rest is Gettone's. */
export const reportTypes = ['products', 'transactions', 'machines', 'medias'] as const
