import { createPolymorphicComponent, Text, type TextProps } from '@mantine/core'
import type { Tone } from '#portal/app/theme/theme.ts'

interface NoteProps extends TextProps {
  tone: Tone
}

/** Words on the soft ground of their tone: a warning, a refusal, a piece of news. */
export const Note = createPolymorphicComponent<'p', NoteProps>(({ tone, ...props }: NoteProps) => (
  <Text px="sm" py={9} bdrs="md" bg={`var(--${tone}-soft)`} c={tone} fz="sm" {...props} />
))
