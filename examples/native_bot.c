/* A bot of the native protocol in C; plays every game by picking from what is legal.
   cc -O2 -o native_bot native_bot.c
   ./native_bot [HOST:PORT [NAME]]    over TCP, else over standard input and output

   The referee writes no blanks outside strings, and of an ask first its type, id and deadline, then view, then legal. */
#define _GNU_SOURCE
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The end of the JSON value that begins at `at`. */
static const char *value_end(const char *at) {
    int depth = 0, inside = 0;
    for (; *at; at++) {
        if (inside) {
            if (*at == '\\' && at[1]) at++;
            else if (*at == '"') inside = 0;
        } else if (*at == '"') inside = 1;
        else if (*at == '[' || *at == '{') depth++;
        else if (depth == 0 && (*at == ',' || *at == ']' || *at == '}')) break;
        else if (*at == ']' || *at == '}') depth--;
    }
    return at;
}

/* The number-th value of an array, counted around and around; NULL if there is none. */
static const char *pick(const char *array, long number) {
    long count = 0;
    const char *at = array + 1;
    for (; *at && *at != ']'; at += *at == ',', count++) at = value_end(at);
    if (count == 0) return NULL;
    for (at = array + 1, number %= count; number > 0; number--) at = value_end(at) + 1;
    return at;
}

static void answer(const char *line, long number) {
    const char *view = strstr(line, "\"view\":"), *key = ",\"legal\":";
    const char *legal = view ? value_end(view + strlen("\"view\":")) : line;
    const char *action = NULL;
    if (!strncmp(legal, key, strlen(key))) action = pick(legal + strlen(key), 7 * number); /* any rule will do */
    if (action == NULL) {
        fprintf(stderr, "no legal actions were offered\n"); /* text for people: never on standard output */
        exit(1);
    }
    printf("{\"type\":\"answer\",\"id\":%ld,\"action\":%.*s}\n", number, (int)(value_end(action) - action), action);
}

/* Make a connection to HOST:PORT our standard input and output. */
static void connect_to(char *address) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found;
    char *colon = strrchr(address, ':');
    if (colon) *colon = 0;
    int failed = !colon || getaddrinfo(address, colon + 1, &hints, &found);
    int stream = failed ? -1 : socket(found->ai_family, SOCK_STREAM, 0);
    if (failed || connect(stream, found->ai_addr, found->ai_addrlen)) exit(1);
    dup2(stream, 0);
    dup2(stream, 1);
}

int main(int count, char **words) {
    char *line = NULL, *token = getenv("FAIRPLAY_TOKEN");
    size_t room = 0;
    if (count > 1) connect_to(words[1]);
    printf("{\"type\":\"hello\",\"version\":1,\"name\":\"%s\",", count > 2 ? words[2] : "native_bot.c");
    if (token) printf("\"token\":\"%s\",", token);
    printf("\"games\":[\"*\"],\"legal\":true}\n");
    fflush(stdout);
    while (getline(&line, &room, stdin) > 0) { /* until it is closed: after bye, over TCP after the last match */
        const char *id = strstr(line, "\"id\":");
        long number = id ? atol(id + strlen("\"id\":")) : 0;
        if (!strncmp(line, "{\"type\":\"tell\"", 14)) printf("{\"type\":\"heard\",\"id\":%ld}\n", number);
        else if (!strncmp(line, "{\"type\":\"ask\"", 13)) answer(line, number);
        fflush(stdout);
    }
    free(line);
    return 0;
}
