import { Box, Flex, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Kit.module.css'

/** One part of the kit, or one state of it, with its caption. */
export const Part = ({ caption, children }: { caption: string; children: ReactNode }) => (
  <div className={classes.part}>
    <Title order={3} mb="near" c="dimmed" fz="xs" fw={500} lh="inherit">
      {caption}
    </Title>
    {children}
  </div>
)

/** Parts side by side, as many as fit. */
export const Row = ({ children }: { children: ReactNode }) => (
  <Flex rowGap="near" columnGap="xs" wrap="wrap" align="center">
    {children}
  </Flex>
)

interface TableProps {
  caption: string
  heads: readonly { name: string; align?: 'end' }[]
  rows: readonly { key: string; cells: readonly ReactNode[] }[]
}

/** A table of a part's output for each value. */
export const Table = ({ caption, heads, rows }: TableProps) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by the keyboard
  <Box className="scrolls" tabIndex={0} role="region" aria-label={caption}>
    <table className={classes.table}>
      <caption className="unseen">{caption}</caption>
      <thead>
        <tr>
          {heads.map(({ name, align }) => (
            <th key={name} scope="col" data-align={align}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells }) => (
          <tr key={key}>
            {cells.map((cell, index) => (
              // A cell has only its place.
              <td key={index} data-align={heads[index]?.align}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </Box>
)
