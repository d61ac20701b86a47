import { Box, Flex, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'

const wires = [
  { part: 'tip', at: 40, end: 'RX', ink: 'var(--gold-ink, var(--gold))' },
  { part: 'ring', at: 80, end: 'TX', ink: 'var(--info, var(--ink-2))' },
  { part: 'sleeve', at: 120, end: 'GND', ink: 'var(--ink-3)' },
] as const

/** The plug of the audit port and the adapter (EVA-DTS 6.1, chapter 7.3): which part leads where. */
export function Wiring() {
  const { t } = useTranslation('agent-set-up')
  return (
    <Box component="figure" m={0} maw={520}>
      <svg viewBox="0 0 520 160" width="100%" role="img" aria-label={t('wiring.alt')}>
        <g stroke="var(--ink-2)" fill="var(--sunken)" strokeWidth="1.5">
          <path d="M14 80 q0 -16 16 -16 h26 v32 h-26 q-16 0 -16 -16 z" />
          <rect x="62" y="64" width="34" height="32" />
          <rect x="102" y="64" width="40" height="32" />
          <rect x="142" y="54" width="62" height="52" rx="6" />
          <rect x="400" y="14" width="106" height="132" rx="8" />
        </g>
        {wires.map(({ part, at, end, ink }, index) => (
          <g key={part}>
            <path
              d={`M${[35, 79, 122][index]} ${at < 80 ? 64 : 96} V${at} H400`}
              fill="none"
              stroke={ink}
              strokeWidth="2.5"
              {...(at === 80 && { d: 'M204 80 H400' })}
            />
            <circle cx="400" cy={at} r="4" fill={ink} />
            <text x="414" y={at + 5} fontSize="15" fontWeight="600" fill="var(--ink)">
              {end}
            </text>
          </g>
        ))}
      </svg>
      <Stack component="figcaption" gap="hair" fz="sm">
        {wires.map(({ part, end, ink }) => (
          <Flex key={part} gap="near" align="center">
            <Box component="span" w={10} h={10} bdrs="xl" bg={ink} flex="none" aria-hidden />
            {t(`wiring.${part}`)} → {end}
          </Flex>
        ))}
      </Stack>
    </Box>
  )
}
