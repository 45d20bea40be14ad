// @ts-check
// The shapes of what the server sends; nothing runs here.

/**
 * @typedef {{ name: string, seat_name: string, facts: [string, string][], removed: string }} SeatMoment
 * @typedef {{ title: string, detail?: string, count?: number | null, key?: string, click?: string,
 *   highlights?: string[], picture?: string, kind?: string, enter?: string }} Card
 * @typedef {{ title: string, cards: Card[], detail?: string }} CardGroup
 * @typedef {{ prompt: string, next: Record<string, number>, chosen?: string[], places?: [string, string][] }} ClickNode
 * @typedef {{ nodes: ClickNode[], labels: Record<string, string>, odd_labels: Record<string, string>,
 *   highlights: Record<string, string[]> }} ClickTree
 * @typedef {{ number: number, words: string, mover: number | null, seats: SeatMoment[], to_move: number | null,
 *   picture: string, label: string, cards: CardGroup[], clicks: ClickTree | null }} Moment
 * @typedef {{ seat: number, name: string, number: number }} Emote
 * @typedef {{ status: "waiting" | "playing" | "over" | "cut off", clock: number | null, seats: string[],
 *   winners: number[], ending: string, remark: string, watchers: number,
 *   offers: { stop: number[], rematch: number[] }, next: string, emote: Emote | null }} Presence
 * @typedef {{ name: string, seat_name: string, line: { color: string, dashes: string }, token: string, person: boolean,
 *   title: string, spec: string, face: string }} Player
 * @typedef {{ id: string, game: string, viewer: string, me: number | null, last: number, following: boolean,
 *   head: string, presence: Presence, moment: Moment, players: Player[], emotes: { name: string, label: string }[],
 *   may_hint: boolean, guided: boolean, abandon_after: number }} MatchPage
 * @typedef {{ key: string, label: string, highlights?: string[] }} Choice
 * @typedef {{ done?: boolean, refusal?: string, prompt?: string, choices?: Choice[], chosen?: string[],
 *   places?: ({ key: string, transform: string } | [string, string])[] }} WishReply
 * @typedef {{ seat: number, name: string, place: number | null, score: number | null, lines: [string, number][],
 *   removed: string }} SeatResult
 * @typedef {{ places: number[][], ending: string, seats: SeatResult[], margin_words: string, progress: number[][],
 *   unit: string, turning_points: number[], removals: number[],
 *   last_round: number | null }} MatchResult
 */

export {};
