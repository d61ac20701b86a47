import { Flex, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { When } from '#portal/ui/time/When.tsx'

/** Who created a secret, and when it was last used from where. */
interface SecretUse {
  createdAt: string
  createdBy: string | null
  lastUsedAt: string | null
  lastUsedFrom: string | null
}

interface Props {
  title: ReactNode
  /** What the secret opens, in one line. */
  opens: ReactNode
  use: SecretUse
  /** The words of a use, which agree with the noun of the secret. */
  word: (key: 'made' | 'used' | 'from' | 'unused', values: Record<string, string>) => string
  /** What follows the use in its line. */
  more?: ReactNode
  /** Further lines. */
  notes?: ReactNode
  /** Buttons at the end of the row, and their dialogs. */
  children: ReactNode
}

/** A row of a list of secrets that were each shown once: API tokens, links of wall displays. */
export function SecretRow({ title, opens, use, word, more, notes, children }: Props) {
  const { t } = useTranslation('ui')
  const { createdAt, createdBy, lastUsedAt, lastUsedFrom } = use
  return (
    <Flex
      rowGap="near"
      columnGap="md"
      wrap="wrap"
      align="flex-start"
      justify="space-between"
      py="part"
      px="md"
      className="ruled"
    >
      <Stack gap="tight" flex="1 1 320px" miw={0}>
        {title}
        <SecretLine>{opens}</SecretLine>
        <SecretLine>
          {word('made', { name: createdBy ?? t('provider') })} <When at={createdAt} />
          {' · '}
          {lastUsedAt ? (
            <>
              {word('used', {})} <When at={lastUsedAt} /> {word('from', { address: lastUsedFrom ?? '–' })}
            </>
          ) : (
            word('unused', {})
          )}
          {more}
        </SecretLine>
        {notes}
      </Stack>
      {children}
    </Flex>
  )
}

/** A line of a row. */
export function SecretLine({ children }: { children: ReactNode }) {
  return (
    <Text c="dimmed" fz="fine" className="breaks">
      {children}
    </Text>
  )
}
