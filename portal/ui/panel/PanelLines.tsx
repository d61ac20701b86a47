import { Box, Flex, Stack, Text } from '@mantine/core'
import { Children, type ReactNode } from 'react'

/** The first lines of a list in a panel, or a sentence if there are none. */
export function PanelLines({ none, children }: { none: string; children: ReactNode }) {
  if (Children.count(children) === 0) return <Text c="dimmed">{none}</Text>
  return (
    <Stack component="ul" gap="near">
      {children}
    </Stack>
  )
}

/** A line: its name with a badge or an amount at the end, and small text below. */
export function PanelLine({ title, aside, note }: { title: ReactNode; aside?: ReactNode; note?: ReactNode }) {
  return (
    <li>
      <Flex gap="sm" align="baseline" justify="space-between">
        <Box miw={0} className="breaks">
          {title}
        </Box>
        <Box flex="none">{aside}</Box>
      </Flex>
      {note && (
        <Text c="dimmed" fz="fine" lh="fine">
          {note}
        </Text>
      )}
    </li>
  )
}
