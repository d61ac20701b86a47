/** What a report is about; products unless somebody asks for another. The specification names products alone, the rest is Gettone's. */
export const reportTypes = ['products', 'transactions', 'machines', 'medias'] as const
