import { z } from 'zod'

export const languages = ['it', 'es', 'en', 'fr', 'de', 'pt'] as const
export const Language = z.enum(languages)
export type Language = z.infer<typeof Language>
