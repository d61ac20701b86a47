import { z } from 'zod'
import { groupsHeader } from './group-lens.ts'

/** The header as the server reads it: ids separated by commas. */
export const SelectedGroups = z.looseObject({
  [groupsHeader]: z
    .string()
    .max(20_000)
    .regex(/^[0-9a-f-]{36}(,[0-9a-f-]{36})*$/i)
    .optional()
    .meta({ description: 'Limits the call to machines of these groups (ids, comma-separated).' }),
})
