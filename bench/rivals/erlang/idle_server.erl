%% The gen_server of the memory comparison: keeps a number, answers pings.
-module(idle_server).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

init(N) -> {ok, N}.

handle_call(ping, _From, N) -> {reply, pong, N}.

handle_cast(_Message, N) -> {noreply, N}.
